"""The typeset editor: words on a flat picture found, lifted, changed and set again; no model."""
