"""English: the words that instructions are made of. `kind value: phrase | phrase` a line."""

LEXICON = """
verb change: change | replace | substitute | correct | fix | turn | convert | update | modify
verb change: edit | alter | amend | rename | rewrite | transform | revise | set | make | adjust
verb change: reword | use | changing | replacing | correcting
verb translate: translate
verb delete: cut | delete | remove | erase | clear | take | take out | take away | drop | wipe
verb delete: wipe out | eliminate | get rid of | discard | omit | empty | blank out | cut out
verb delete: white out | removing | deleting | erasing | clearing
verb raise: raise
verb lower: lower
verb add: supplement | display | add | insert | write | append | fill in | fill | enter | type
verb add: include | attach | give | continue | print | comes | adding | inserting | writing
verb add: key in | input | fill out
verb put: put | place | placing | position
verb move: slide | nudge | move | relocate | relocation | shift | transfer | reposition | drag
verb move: push | moving
verb order: bring | send
verb swap: swap | exchange | interchange | switch | trade | reverse the order of
verb swap: swap the positions of | exchange the positions of | swap places of | swap the places of
verb rotate: rotate | tilt | spin | rotating
verb grow: zoom in on | zoom in | expand | enlarge | increase | magnify | scale up | blow up
verb grow: grow | enlarging | upscale
verb shrink: zoom out | zoom out on | reduce | shrink | decrease | scale down | downscale
verb shrink: downsize
verb scale: scale | resize | rescale
verb double: double
verb halve: halve
verb bold: bold | embolden | boldface
verb unbold: unbold
verb italic: italicise | italicize
verb underline: underline
verb strike: strike through | cross out | strike out
verb colour: dye | mark | recolour | recolor | colour | color | paint | tint
verb align: align | centre | center | left align | right align | justify
verb hide: hide
verb show: show | unhide | reveal
verb merge: merge | join | combine | unite
verb upper: capitalise | capitalize | uppercase
into should: should be | should say | should read | should become | should now be | ought to be
into should: must be | must say | must read | needs to be | should instead be | needs to say
into should: should be changed to | should be replaced with | should be replaced by | must become
into should: should be corrected to | has to be | has to say | should be written as | → | -> | =>
into should: ⇒ | ➔ | ➜ | should be set to | becomes | is to be | is to say
into says: says | say | so that it reads | so that it says | so it reads | so it says | to read
into says: to say | to be | reads | reading | read | saying | that says | that reads | which reads
into says: with the text | with the words | with the word | with the phrase | into one that reads
into says: and have it read | whose text is | to instead say | to instead read | being
prep to: to | into | onto
prep with: with
prep by: by
prep as: as
prep for: for
prep from: from
prep of: of | belonging to | forming | containing | indicating | about | showing | saying the
prep in: in | on | at | inside | within | among | throughout | across | out of | that is in
prep in: that is on | which is on | which is in | along | located in | located at | located on
prep in: inside of | off
prep including: including | along with | together with
prep between: between | betwwen
prep begins: that begins with | that starts with | that opens with | beginning with
prep begins: starting with | opening with | which begins with | which starts with | begins with
prep begins: starts with
prep where: where | there
side below: below | beneath | under | underneath | directly below | directly under | just below
side below: to below | to under | on the bottom of | immediately below | right below | right under
side below: just under | to be centered under | from below
side above: above | over | directly above | just above | to above | right above
side above: immediately above
side right: beside | next to | to beside | alongside | to the right of | right of | adjacent to
side right: to the right side of | on the right of | on the right side of | at the right of
side left: to the left of | left of | to the left side of | on the left of | on the left side of
side left: at the left of
side before: before | in front of | ahead of | preceding | right before | just before
side after: after | following | right after | just after | behind | directly after
side start: at the beginning of | at the start of | to the beginning of | to the start of
side end: at the end of | to the end of | at the very end of | at the tail of
place top: top | upper part | upper middle | top middle | top center | top centre | topmost
place top: upper center | upper centre | very top | upper side | upper half | upper | head
place bottom: bottom | lower part | lower middle | bottom center | bottom centre | very bottom
place bottom: lower center | lower centre | lower half | lower | foot | bottom middle
place left: to the left side | left side | left hand side | far left | left edge | left half
place left: middle left | left center | left middle | left part
place right: to the right side | right side | right hand side | far right | right edge
place right: right half | middle right | right center | right middle | right part
place centre: central | centre | center | middle | exact center | exact centre | very center
place centre: very centre | very middle | exact middle
place top left: top left | upper left | left top | left upper | upper left hand
place top right: top right | upper right | right top | right upper | upper right hand
place bottom left: bottom left | lower left | left bottom | left lower | lower left hand
place bottom right: bottom right | lower right | right bottom | right lower | lower right hand
dir up: up | upward | upwards | higher
dir down: down | downward | downwards | lower down
dir left: left | to the left | leftward | leftwards | toward the left | towards the left
dir right: right | to the right | rightward | rightwards | toward the right | towards the right
turn 1: clockwise
turn -1: counterclockwise | counter clockwise | anticlockwise | anti clockwise
turn 180: upside down
slant 45: diagonally | diagonal
ord 1: first | topmost | opening
ord 2: second
ord 3: third
ord 4: fourth
ord 5: fifth
ord 6: sixth
ord 7: seventh
ord 8: eighth
ord 9: ninth
ord 10: tenth
ord -1: last | final | bottommost
ord -2: second to last | second last | next to last | penultimate | last but one
all: all | every | each | both | all of | every occurrence of | all occurrences of
all: all instances of | both occurrences of | every instance of | each occurrence of
all: each instance of | everywhere | all the | all three instances of | both instances of
all: wherever it occurs | each of | on every layer | on all layers
role title: title | title text | main title | headline | main heading | big title | book title
role title: page title
role subtitle: subtitle | subheading | sub heading | sub title | subhead | subheadline
role heading: heading | section title | section heading | section header
role header: header | page header | top header
role footer: footer | page footer | footnote
role caption: caption
role paragraph: paragraph | passage | body text | body | main text | block of text | body copy
role sentence: sentence | short sentence
role line: line | line of text | text line
role word: word | phrase | term | headline word
role letter: letter | character
role number: number | digit | figure | value | amount | percentage | percentage value | year
role date: date
role time: time
role price: price | price tag
role phone: phone number | telephone number | phone | telephone | mobile number
role address: address
role email: email | email address | e mail | e mail address | mail address | website | url
role email: web address
role url: website | url | web address | link | web page
role slogan: slogan | tagline | motto | catchphrase
role logo: logo | brand mark
role label: label | field | button | table entry | tag
role item: item | list item | entry | list entry | bullet | bullet point | list point
role list: list | bullet list
role table: table
role row: row | table row
role column: column | table column
role cell: cell | table cell
role text: information | text | wording | lettering | writing | words | content | inscription
role text: text box | writings
role section: section | part | area | block | region
role picture: photograph | illustration
role shape: shape | rectangle | box | circle | banner | callout | sidebar
role background: background | backdrop | background colour | background color
layer: layer
page: picture | image | page | photo | poster | document | design | canvas | slide | sheet | flyer
page: diagram | cover | card | screenshot | artwork | file | resume | screen
attr font: font | typeface | font style | font family | font type | lettering style | type
attr colour: colour | color | font colour | font color | text colour | text color
attr size: size | font size | text size | font height | type size
attr weight: weight | font weight
attr align: alignment
attr other: angle | spacing | letter spacing | line spacing | line height | kerning | transparency
attr place: position | location | placement | position of | the position of
attr look: style | font style | format
look regular: no longer bold | unbold | not bold | non bold | regular | regular weight
look regular: normal weight
look upright: no longer italic | no italics | not italic | non italic | upright | roman type
look bold: bold | boldface | bolder | bold font | bold type | in bold | heavier | bold text
look light: lighter weight | thinner | thin
look plain: normal | normal font | plain | regular font
look italic: italic | italics | italicised | italicized | oblique | slanted | italic style
look underline: underlined | underline | underlining
look strike: struck through | strikethrough | strike through | crossed out
family serif: serif | serif font | roman | serifs | serif typeface
family sans: sans serif | sans | sans serif font | gothic | sans serif typeface | black font
family mono: monospace | monospaced | mono | typewriter | fixed width
family handwritten: handwritten | handwriting | script | cursive | brush | calligraphy
family handwritten: hand lettered | handwritten font | handwriting font | handwriting style
family handwritten: brush script
family display: display | decorative | more decorative | decorative font | fancy | display font
family SimSun: simsun | song typeface | songti | song | song ti
family KaiTi: kaiti | kai typeface | regular script
family SimHei: simhei | heiti
family FangSong: fangsong
family Times New Roman: times new roman | times
family Arial: arial
family Helvetica: helvetica
family Georgia: georgia
family Courier New: courier new | courier
family Comic Sans MS: comic sans | comic sans ms
family Verdana: verdana
family Calibri: calibri
family other: another font | a different font | other font | another typeface | a new font
family other: another | different
align left: left aligned | left justified | flush left | left alignment | aligned left
align right: right aligned | right justified | flush right | right alignment | aligned right
align centre: centred | centered | centre aligned | center aligned | aligned to the center
align justify: justified | fully justified
grow 1: bigger | larger | enlarged | greater | taller | big | more prominent
grow -1: smaller | reduced | tinier | small | less
factor 2: twice | twice as big | twice as large | double
factor 3: triple | three times | thrice
factor 4: quadruple | four times
factor 0.5: half | half as big | by half | half as large
factor 1.5: one and a half times
much 0.4: a little | a bit | slightly | a little bit | somewhat | slight | little
much 1.0: moderately | appropriately | a certain distance | an appropriate distance | some
much 2.0: much | a lot | significantly | considerably | far | greatly
quote ,: comma
quote .: full stop | period
quote !: exclamation mark | exclamation point
quote ?: question mark
quote :: colon
quote ;: semicolon
quote -: hyphen | minus sign | dash
quote +: plus sign
quote %: percent sign | percentage sign
quote $: dollar sign
unit %: percent | per cent
unit °: degree | degrees | deg
unit px: px | pixel | pixels
unit cm: cm | centimetre | centimetres | centimeter | centimeters
unit mm: mm | millimetre | millimetres | millimeter | millimeters
unit inch: inch | inches
unit pt: pt | point | points
unit x: times | x
shade dark: dark | deep
shade light: light | pale | soft
shade bright: bright | vivid | pure | warm | solid | jet
front front: to the front | to front | in front of everything | to the top layer
front back: to the back | to back | behind everything | to the bottom layer
front forward: forward | forwards
front backward: backward | backwards
case upper: uppercase | upper case | capital letters | all caps | capitals | block capitals
case lower: lowercase | lower case | small letters
empty: nothing | blank
and: and | as well as | & | plus
then: then | next | afterwards | afterward | finally | also | and then | after that | subsequently
it: it | them | this | these | that | its | their | one | there
article: the | a | an | my | your | our | some | any
filler: help me | help me to | thanks | thank you | please | directly | exactly | properly
filler: entire | whole | main | kindly | just | only | very | appropriate | proportionally
filler: suitably | original | complete | right | simply | new | same | i want to | i would like to
filler: i'd like to | can you | could you | let us | let's | would you | written | called | named
filler: corner | side | area | edge | empty | blank | blank space | space | corresponding | exact
filler: remaining | huge | large | small | big | position of | the position of | instances of
filler: occurrence of | occurrences of | again | to be | from its original position and place it
filler: single | two | three | neighbouring | neighboring | adjacent | following | one more | more
filler: respectively | another | last | its value | quadrant | trailing | instead | more of | marked
wish: fill the background | fill the space | fill the gap | keep | keeping | preserve | preserving
wish: maintain | maintaining | retain | retaining | ensure | ensuring | leave | leaving | avoid
wish: avoiding | do not | don't | without | restore | while | reconstruct | so the | the other
wish: others stay | make sure | making sure | to match | matching the | matching its | the rest
wish: everything else | nothing else | in the same | adjust the shadow | move the rows
wish: move the columns | close the gap | spread | in a similar | the remaining | so that nothing
wish: but keep | but leave | unchanged | not changing | without changing | consistent
wish: with consistent | to fit | so it fits | so that it fits | all other | and nothing else
wish: blend | the others | remains | rather than | whilst
clash: left and right | top and bottom | both sides | left and the right | upper and lower
tongue: chinese | english | pinyin | french | german | japanese | korean | spanish | latin
except: except | but | other than | apart from | except for | besides
instead: instead of | in place of | in lieu of | rather than
same: same | with the same | using the same | with its original | using its original
same: with the original | using the original | in its original | in the original | in their original
prep with: with the same | with its original | with the original
prep in: in its original | in the original | in their original
wish: with the same | using the same | with its original | using its original | with the original
wish: using the original | in its original | in the original | in their original | intact
wish: untouched | in the style of | similar to | identical to | in a style similar to
kept: layout | formatting | spacing | look | appearance | design | composition
vague: black and white | synonym | synonyms | spelling | spell | error | errors | erorrs | mistake
vague: mistakes | grammar | grammatical | polite | formal | poetic | meaningful | tone | meaning
vague: relaxed | expression | summarise | summarize | generate | suitable | something | better
vague: nicer | atmosphere | casual | opposite | antonym | translation | inspiring | typo | typos
vague: paraphrase | rephrase | rhyme | funnier | shorter | longer | friendlier | effect | opacity
vague: beautiful | length | width | vertical | horizontal | curve | curves | misspelled
vague: misspelling
says: is | are | was | has | have | lacks | lack | stays | stay | should | needs | missing
says: no longer | had | were | contains | does | looks | must
"""
