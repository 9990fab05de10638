"""More font rows: the families people's own documents are set in, one row for each package."""

from overpaint.weights.registry import Package

OFL, APACHE = "OFL-1.1", "Apache-2.0"

# name; package, version, bytes and sha256 of its wheel; a file in it, its sha256; licence; what
_ROWS = (
    (
        "font-arimo", "fontpkg-arimo", "1.341", 646_895,
        "8d4f38675b6a1b54f7c8c5b8c04f094f9e3aafd7e51d17d37c0fa8d4eebf076e",
        "Arimo[wght].ttf",
        "e43898b143ec826ac8cb4034816458a7047fbe0836558de2a1f8c6223ae3e0ca",
        OFL, "Arimo, as wide as Arial, Latin, Cyrillic, Greek, Hebrew",
    ),
    (
        "font-lato", "fontpkg-lato", "2.15", 6_103_677,
        "7bce7eef5522260b06ab597c21edd20d840c89909f0ec9b8ac3da2812a43ed93",
        "Lato-Regular.ttf",
        "d636e4683231f931eda222d588e944d082bfd3bdba02f928bee461c0f185b251",
        OFL, "Lato, Latin",
    ),
    (
        "font-noto-sans", "fontpkg-noto-sans", "2.15", 2_592_256,
        "54016cb4dfbfdd8f0cae3d71a9401a73e786a473debd12f1d79067e349c9a4a3",
        "NotoSans[wdth,wght].ttf",
        "bfb7bb691513f12e734dc346c03a03f784912432d7e3fa8e56efcf906fe86b3d",
        OFL, "Noto Sans, all weights, Latin, Cyrillic, Greek",
    ),
    (
        "font-noto-sans-arabic", "fontpkg-noto-sans-arabic", "2.12", 461_515,
        "eeca37a7ad6854bf1b6aa42bbce1908a6a6dcd2252ed56d021c20b613f6d16fc",
        "NotoSansArabic[wdth,wght].ttf",
        "63111b5b2e074dd48cc67692e0a2726d86ee94c1c37fe8598257b7b4e87e869e",
        OFL, "Noto Sans Arabic, all weights",
    ),
    (
        "font-noto-serif", "fontpkg-noto-serif", "2.15", 2_554_996,
        "3cc09442fea9c5f852ca4b3ae2984acf7033c20f5d67bb35f4381549c74f370f",
        "NotoSerif[wdth,wght].ttf",
        "4d8e6761424656867019081a1a01336f3cb086982682698714054fc33f782713",
        OFL, "Noto Serif, all weights, Latin, Cyrillic, Greek",
    ),
    (
        "font-caladea", "font-caladea", "0.0.2", 119_816,
        "eab5b77f1da830226524f419d16d4bc4cb5b68d2de0f47ef83760a8b202e94bc",
        "Caladea-Regular.ttf",
        "d2f6cad33f191e65b68bd74e6d4f7708080a41b32db635866109df3090265d91",
        APACHE, "Caladea, as wide as Cambria, Latin",
    ),
    (
        "font-merriweather", "fontpkg-merriweather", "2.100", 6_411_259,
        "61aefb10d743f23dc59c07a26c21f7ad0b181cc7e1ad304d6527df792bc4d7da",
        "Merriweather[opsz,wdth,wght].ttf",
        "d0ed0e359e396af7ad05e73dffd11a3a4c326ea0d0283c56bd9361cb2cc86a96",
        OFL, "Merriweather, all weights, Latin",
    ),
    (
        "font-source-serif-4", "fontpkg-source-serif-4", "4.4", 1_009_075,
        "6c33ac5d27b0396b0ed228e400d9c7ee4445c359ce21b3d8d9b9723e8c5c49a7",
        "SourceSerif4[opsz,wght].ttf",
        "97b2d4da6e3cb494b5a1e66ae176914d852ccabef49e0c02c0df25f3e39aca0b",
        OFL, "Source Serif 4, all weights, Latin",
    ),
    (
        "font-ibm-plex-serif", "fontpkg-ibm-plex-serif", "2.6", 1_053_332,
        "d06670ebdedf646c65b4f1738b2fe86124ac9af1a28898ad4846e5ab728346d9",
        "IBMPlexSerif-Regular.ttf",
        "e882efa9c41949a528ac2369079ec5ef050c1c996bbd0bacce3c3326d44cf80d",
        OFL, "IBM Plex Serif, Latin",
    ),
    (
        "font-playfair-display", "fontpkg-playfair-display", "1.203", 275_356,
        "5941b14cc9742d6d93b8a163b4582b81761d1fd99fbe312ad2efb116f1d1106e",
        "PlayfairDisplay[wght].ttf",
        "c40f2293766a503bc70cce9e512ef844a4ccb7cbcde792fe2ea31d191917d8d6",
        OFL, "Playfair Display, all weights, Latin",
    ),
    (
        "font-bitter", "fontpkg-bitter", "3.21", 307_793,
        "0a55a79b3bb239fab78e0ba3dac635d79271acac48dc20e5717e3b486badf428",
        "Bitter[wght].ttf",
        "ef2b9a711fb02f1e5823b34da1b7450e0fc76793b7d733a8b41006e24916d4a7",
        OFL, "Bitter, all weights, Latin",
    ),
    (
        "font-abril-fatface", "fontpkg-abril-fatface", "1.1", 36_140,
        "3ed5bfda9351aa0941bd168e3935f078c30665552059a3193f1b63b9d4f96475",
        "AbrilFatface-Regular.ttf",
        "5971d4a3758a922a9fedc7f6fb825a96341a2e718c45a4b2c9a6b417c8c4dbe9",
        OFL, "Abril Fatface, Latin",
    ),
    (
        "font-poppins", "fontpkg-poppins", "4.4", 1_378_375,
        "4f8f7a9ac953658bf32a935d0c2cbc79ca0bedd72305b63b7229017849c7d335",
        "Poppins-Regular.ttf",
        "7e65201e9b79159e2300267cc885e16c8dcef2424cdfa09a29bfb0980a94a7ba",
        OFL, "Poppins, Latin",
    ),
    (
        "font-oswald", "fontpkg-oswald", "4.103", 97_971,
        "8289985a11990f95c4cedf88fc2d613274de4b8083d84b28d0fecc8049109186",
        "Oswald[wght].ttf",
        "5b38c246e255a12f5712d640d56bcced0472466fc68983d2d0410ec0457c2817",
        OFL, "Oswald, all weights, Latin",
    ),
    (
        "font-nunito", "fontpkg-nunito", "3.602", 273_813,
        "aa03f5c6cced0c3a12ae980f517b3d3c4c92aeb1a60abd8637ba5ae978031bf2",
        "Nunito[wght].ttf",
        "bb55a5ca5c2042335b3991af27c4d0705d0ef41cac6164ac737fd8f2a1e85207",
        OFL, "Nunito, all weights, Latin",
    ),
    (
        "font-raleway", "fontpkg-raleway", "4.26", 350_051,
        "25ff0a6368821242c5cf840fa5a0c3d6c1da3cc2029a7409c7ca714dab40e862",
        "Raleway[wght].ttf",
        "8bbcc3eb8275c388f4bcd998832f8a4b943eadbaf6a595205312774b5951aefb",
        OFL, "Raleway, all weights, Latin",
    ),
    (
        "font-dm-sans", "fontpkg-dm-sans", "4.4", 256_951,
        "fdaed740f6bcc72a087c7500b6131973af87e9c8a6743546da7861356faa8947",
        "DMSans[opsz,wght].ttf",
        "8cd08d97e89c24d0aa92edd2f0f4c8ee6195eee9b7c9f154865a58b02f0c1c0d",
        OFL, "DM Sans, all weights, Latin",
    ),
    (
        "font-rubik", "fontpkg-rubik", "2.300", 304_269,
        "3ccc6fd3555759415c5919d90ebf22d2831925545bba50ac300dea9288ca47a4",
        "Rubik[wght].ttf",
        "1b3a7437ba2af80e465e773ed60c5036d1ba6ace492d89046dbcf18fb31e4e88",
        OFL, "Rubik, all weights, Latin, Hebrew",
    ),
    (
        "font-quicksand", "fontpkg-quicksand", "3.6", 73_177,
        "c4221101ae338f59cff91b5ba9e2516b8f965b8df81379371e8ee3ab3bf444b6",
        "Quicksand[wght].ttf",
        "39c9b64223561f56aaff6062a6f04063c4fc86809ad6768722c06614d977e1cc",
        OFL, "Quicksand, all weights, Latin",
    ),
    (
        "font-roboto-condensed", "fontpkg-roboto-condensed", "3.8", 461_219,
        "b56f599e211bdeab356cf18e4b0af4e4665a18d6586455a3650a374f03ae745c",
        "RobotoCondensed[wght].ttf",
        "dace262afcee68a5276f200d8026c57221735c0118ab5fda8c2c0d3dc409a8d0",
        OFL, "Roboto Condensed, all weights, Latin",
    ),
    (
        "font-archivo-black", "fontpkg-archivo-black", "1.6", 48_075,
        "a5e2919c68dfafa451750cb764ba8d0414ac0d502bc4d28435d6ff9cf1724b29",
        "ArchivoBlack-Regular.ttf",
        "dd9a89a019b4849f66ab75455fe7bdf931311042cbb0f0f97acc061539703180",
        OFL, "Archivo Black, Latin",
    ),
    (
        "font-source-code-pro", "fontpkg-source-code-pro", "1.26", 218_954,
        "986a0c5b67ed28c3753b49d9c51139f1dfb517c9b441b901c79cb7545076089f",
        "SourceCodePro[wght].ttf",
        "b400fc584e10aff25d0e775ce181b4fc1c5ea1b5dc37b81aeb2084375b945790",
        OFL, "Source Code Pro, all weights, Latin",
    ),
    (
        "font-dancing-script", "fontpkg-dancing-script", "2.1", 81_542,
        "93289d8e20448317d94091f8aac2201009d75e650ac7e88639d8c88587782f25",
        "DancingScript[wght].ttf",
        "21808625578fe8d8cd10cb684be546dca077b27cd03a53a2f1ec11dc743c924c",
        OFL, "Dancing Script, all weights, Latin",
    ),
    (
        "font-indie-flower", "fontpkg-indie-flower", "2.0", 61_530,
        "30fd37149b5d91068e7614628b0f3d139d9fb880929d7e163d389691d778c21d",
        "IndieFlower-Regular.ttf",
        "ccc94b22b156e9c5dfe50fd051f01b097600b252c24473e624bb43a143140a94",
        OFL, "Indie Flower, Latin",
    ),
    (
        "font-lobster", "fontpkg-lobster", "2.100", 154_445,
        "34c366bf94110496fddb53d8f3afd83e72487461342df013f5fc49862f5fc29c",
        "Lobster-Regular.ttf",
        "d6568e697fd50cedc0be04d8aae4127fe95add607e7bff954ca88604be80c205",
        OFL, "Lobster, Latin",
    ),
    (
        "font-permanent-marker", "fontpkg-permanent-marker", "1.1", 52_544,
        "3bda49f36186ba545f07b5610f4670e68e68b3b9ad1fa5007d34910a55753675",
        "PermanentMarker-Regular.ttf",
        "28f82c8a7943cb8e9d599f8554da1d4fc75dbcf69b9885ad6c0611d20c6946c5",
        APACHE, "Permanent Marker, Latin",
    ),
)  # fmt: skip


def _row(
    row: tuple[str, str, str, int, str, str, str, str, str],
) -> tuple[str, Package, str, str, str]:
    name, package, version, size, sha256, file, digest, licence, what = row
    module = package.replace("-", "_")
    wheel = f"{module}-{version}-py3-none-any.whl"
    member = f"{module}/files/{file}"
    return name, Package(package, version, wheel, sha256, size, licence), member, digest, what


# name, package, path inside it, sha256, what it is: as the other font rows
MORE_FONTS: tuple[tuple[str, Package, str, str, str], ...] = tuple(map(_row, _ROWS))
