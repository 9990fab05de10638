"""SVGs that tests read."""

from pathlib import Path

from overpaint.document.model import Document
from overpaint.document.svg import read

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
POSTER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n'
    + HEAD
    + """width='400'   height="300" viewBox="0 0 200 150" xmlns:odd="urn:odd">
 <style>.t { fill: #ff0000; font-family: 'Lato', sans-serif }</style>
 <defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1"
   stop-color="blue"/></linearGradient></defs>
 <rect width="200" height="150" fill="url(#g)" opacity=".5"/>
 <g id="grp" transform="translate(10 20)" font-size="12">
  <!-- a comment > with signs -->
  <text class="t" x="10" y="20">Hello <tspan font-weight="bold">bold</tspan> world</text>
  <text x="10" y="40"><tspan x="10">Line one</tspan><tspan x="10" dy="1.2em">Line two</tspan>
   <tspan x="10" dy="1.2em">Line three</tspan></text>
  <text transform="rotate(30 100 20)" x="100" y="20">Turned</text>
 </g>
 <odd:thing odd:a='1'>kept</odd:thing>
 <path d="M100 100 q 20 -30 40 0 t 40 0" fill="none" stroke="green" stroke-width="2"/>
 <circle cx="30" cy="120" r="15" fill="gold" stroke="black"/>
 <use xlink:href="#grp"/><filter id="f"/>
</svg>
"""
)


def svg(tmp_path: Path, text: str | bytes, name: str = "a.svg") -> Path:
    """A file that holds the text."""
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def body(tmp_path: Path, inner: str, more: str = 'width="100" height="80"') -> Document:
    """What is read of these elements alone."""
    return read(svg(tmp_path, f"{HEAD}{more}>{inner}</svg>"))
