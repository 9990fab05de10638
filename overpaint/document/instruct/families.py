"""Families: fonts that are known by name, so that "Open Sans" is a font and not "a sans"."""

# How names of fonts end that no table has.
ENDINGS = ("sans", "serif", "mono", "script", "slab", "condensed", "gothic", "pro", "mt", "neue")
# Words of a page as well; fonts where a role, and no words, shall be set in them.
ONE_WORD = frozenset({
    "anton", "arimo", "bitter", "caladea", "caveat", "impact", "inter", "kalam", "lobster", "lora",
    "manrope", "oswald", "pacifico", "quicksand", "rubik",
})  # fmt: skip
# Names of one word are here only where nobody would take them for words of a page.
NAMES = tuple(name.strip() for name in """
Arial Black | Arial Narrow | Arial Rounded MT Bold | Arial Unicode MS | Avenir Next | Baskerville
Bebas Neue | Big Shoulders Display | Black Han Sans | Bodoni | Book Antiqua | Bookman Old Style
Brush Script MT | Cabin Sketch | Cambria | Candara | Century Gothic | Century Schoolbook
Clear Sans | Consolas | Constantia | Cooper Black | Corbel | Cormorant Garamond | Crimson Pro
Crimson Text | Dancing Script | DejaVu Sans | DejaVu Sans Mono | DejaVu Serif | Didot | DM Sans
DM Serif Display | DM Serif Text | EB Garamond | Exo 2 | Fira Code | Fira Mono | Fira Sans
Franklin Gothic | Franklin Gothic Medium | Frutiger | Futura | Garamond | Gill Sans | Gill Sans MT
Helvetica Neue | IBM Plex Mono | IBM Plex Sans | IBM Plex Serif | Inconsolata | JetBrains Mono
Josefin Sans | Josefin Slab | Lato | Liberation Mono | Liberation Sans | Liberation Serif
Libre Baskerville | Libre Franklin | Lucida Console | Lucida Grande | Lucida Handwriting
Lucida Sans | Lucida Sans Unicode | Merriweather | Merriweather Sans | Montserrat | Myriad Pro
Noto Sans | Noto Sans CJK SC | Noto Sans Display | Noto Sans Mono | Noto Sans SC | Noto Sans TC
Noto Serif | Noto Serif CJK SC | Noto Serif Display | Noto Serif SC | Noto Serif TC | Nunito
Nunito Sans | Old Standard TT | Open Sans | Open Sans Condensed | Palatino | Palatino Linotype
Playfair Display | Plus Jakarta Sans | Poppins | PT Mono | PT Sans | PT Sans Caption
PT Sans Narrow | PT Serif | Public Sans | Raleway | Red Hat Display | Red Hat Mono | Red Hat Text
Roboto | Roboto Condensed | Roboto Mono | Roboto Serif | Roboto Slab | Rockwell | Rubik Mono One
Segoe Print | Segoe Script | Segoe UI | Shadows Into Light | Sitka Text | Source Code Pro
Source Han Sans | Source Han Sans SC | Source Han Serif | Source Han Serif SC | Source Sans 3
Source Sans Pro | Source Serif 4 | Source Serif Pro | Space Grotesk | Space Mono | Tahoma
Titillium Web | Trebuchet MS | Ubuntu Mono | Varela Round | Work Sans | Yanone Kaffeesatz
Zilla Slab
""".replace("\n", " | ").split("|") if name.strip())  # fmt: skip
