"""The font rows of the table of weights: OFL and Apache, small enough to fetch them all."""

from overpaint.weights.registry import Package


def _font_package(
    name: str, version: str, size: int, sha256: str, *, licence: str = "OFL-1.1"
) -> Package:
    file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    return Package(name, version, file, sha256, size, licence)


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
_LORA = _font_package(
    "fontpkg-lora",
    "3.8",
    229_346,
    "b0d7761989bf25e4b5f23e2d5964bd896fcac2a7e2719a294c19fe5235552043",
)
_EB_GARAMOND = _font_package(
    "fontpkg-eb-garamond",
    "1.3",
    794_187,
    "026191b72c59d5fa6657657b49972604bb583fbe496e16afbb0d3849b6bd62b7",
)
_CRIMSON_TEXT = _font_package(
    "fontpkg-crimson-text",
    "1.100",
    345_581,
    "25e7eeb1b3aa5381d17d629f3e099b0342feba1e721ae61371f6730b036bbb44",
)
_LIBRE_BASKERVILLE = _font_package(
    "fontpkg-libre-baskerville",
    "2.5",
    169_601,
    "649dfdafc2d2ce20e87e53ee1d51c887bb15bc0da00c2e8aa01465c6df2534b5",
)
_ROBOTO_SLAB = _font_package(
    "fontpkg-roboto-slab",
    "2.2",
    158_574,
    "48e15750db5677f21c23590e92d7889c40e104cd9bf9ab1f38b6432c2ae6d72c",
    licence="Apache-2.0",
)
_SOURCE_SANS_3 = _font_package(
    "fontpkg-source-sans-3",
    "3.52",
    423_642,
    "2e931608ceeaad770916b53a35cf87090e28133875bf770e41b266146126abd8",
)
_OPEN_SANS = _font_package(
    "fontpkg-open-sans",
    "3.3",
    744_920,
    "de2b20526dacabfb0b7f736b01a6c0175b9d6a3e83453ea14d268c59dec0424c",
)
_ROBOTO = _font_package(
    "fontpkg-roboto",
    "3.15",
    612_534,
    "5502431dd22fe30911cd497cefac11760e48b4a1ed78df26c02288664eeddb9f",
)
_INTER = _font_package(
    "fontpkg-inter",
    "4.1.post1",
    966_102,
    "b1105c8b368787112e9352ba657fe4fd32feb0722cc3046a308f65962298ddf8",
)
_IBM_PLEX_SANS = _font_package(
    "fontpkg-ibm-plex-sans",
    "3.201",
    635_859,
    "f29ba7da5a7f6d561562d52712265a7adf39d6df86cbe402333afa59580683bc",
)
_MONTSERRAT = _font_package(
    "fontpkg-montserrat",
    "9.0",
    624_113,
    "0baf3f7a2061e590a1511bce18bd06c437bf124dc87f8b710eeab2f2d0efe6d1",
)
_ROBOTO_MONO = _font_package(
    "fontpkg-roboto-mono",
    "3.1",
    276_063,
    "b41ec5c52073de992a5f7f12d365be688bb3d206bf4a0347e3faa8e983ac481b",
)
_KALAM = _font_package(
    "fontpkg-kalam",
    "2.1",
    574_473,
    "6effb7ee67f3b862de84524a705beb362777153da60c4417805c93b3548e147d",
)

# name, package, path inside it, sha256, what it is
FONTS: tuple[tuple[str, Package, str, str, str], ...] = (
    (
        "font-sans",
        _PT_SANS,
        "fontpkg_pt_sans/files/PT_Sans-Web-Regular.ttf",
        "9cc831490532009bae2b3ce0d39c62adfc889060beb421593bfd9d2396d0f10a",
        "PT Sans, Latin and Cyrillic",
    ),
    (
        "font-sans-bold",
        _PT_SANS,
        "fontpkg_pt_sans/files/PT_Sans-Web-Bold.ttf",
        "3128bd5ecf01816e59a23d54c57a7a6b14615b07db53ff277c77376010265b05",
        "PT Sans Bold, Latin and Cyrillic",
    ),
    (
        "font-serif",
        _PT_SERIF,
        "fontpkg_pt_serif/files/PT_Serif-Web-Regular.ttf",
        "a4951fade06ff8f09b7673aa81ffb65a8cd409e24d3289a6dc670bc4dda2557a",
        "PT Serif, Latin and Cyrillic",
    ),
    (
        "font-serif-bold",
        _PT_SERIF,
        "fontpkg_pt_serif/files/PT_Serif-Web-Bold.ttf",
        "038ba7336bd7ea14f12ad155bed51a4345cac5153275d521dec3ba04021c526e",
        "PT Serif Bold, Latin and Cyrillic",
    ),
    (
        "font-display",
        _ANTON,
        "fontpkg_anton/files/Anton-Regular.ttf",
        "a4ba3a92350ebb031da0cb47630ac49eb265082ca1bc0450442f4a83ab947cab",
        "Anton, a heavy poster face, Latin",
    ),
    (
        "font-display-serif",
        _DM_SERIF,
        "fontpkg_dm_serif_display/files/DMSerifDisplay-Regular.ttf",
        "8cc3643535edf039aa5d95440a8542735e9197e4f4b8d9303e980fefbf5ab616",
        "DM Serif Display, Latin",
    ),
    (
        "font-script",
        _PACIFICO,
        "fontpkg_pacifico/files/Pacifico-Regular.ttf",
        "5b6c0d5334a7bf77dea52b975c5a0c408878c0f7115ed5b6fb151f634b7bf701",
        "Pacifico, a brush script, Latin and Cyrillic",
    ),
    (
        "font-chinese-sans",
        _NOTO_SC,
        "pylopdf_fonts_zh_cn/NotoSansSC-Regular.otf",
        "faa6c9df652116dde789d351359f3d7e5d2285a2b2a1f04a2d7244df706d5ea9",
        "Noto Sans SC, Simplified Chinese",
    ),
    (
        "font-chinese-serif",
        _NOTO_SC,
        "pylopdf_fonts_zh_cn/NotoSerifSC-Regular.otf",
        "e8f396decc1f0963a016a989c3d8852e863d1350996f573860a80767c83a1cd3",
        "Noto Serif SC, Simplified Chinese",
    ),
    (
        "font-lora",
        _LORA,
        "fontpkg_lora/files/Lora[wght].ttf",
        "822a6621ccbe8d97d20ac88c1c41f5615c9c2c202eaa75f272cd452aac6475a7",
        "Lora, all weights, Latin",
    ),
    (
        "font-eb-garamond",
        _EB_GARAMOND,
        "fontpkg_eb_garamond/files/EBGaramond[wght].ttf",
        "ef9512f92f6d579e5dc75af59a5a4b1b8b47d2eda89e00b954d44520e5369027",
        "EB Garamond, all weights, Latin",
    ),
    (
        "font-crimson-text",
        _CRIMSON_TEXT,
        "fontpkg_crimson_text/files/CrimsonText-Regular.ttf",
        "48e6c5d5ad1d01599d374ecb817e15890d1feb3b8a3a88e527d44c90389e1f06",
        "Crimson Text, Latin",
    ),
    (
        "font-crimson-text-bold",
        _CRIMSON_TEXT,
        "fontpkg_crimson_text/files/CrimsonText-Bold.ttf",
        "a3a0765fc5e8d0b49b540a23aefe0184887dd79f06a0bdf4db7035cea6befa93",
        "Crimson Text Bold, Latin",
    ),
    (
        "font-libre-baskerville",
        _LIBRE_BASKERVILLE,
        "fontpkg_libre_baskerville/files/LibreBaskerville[wght].ttf",
        "05a95421961341c5b2556285e8415df9db27dab4f4abe22b446b3c6a8b916c5d",
        "Libre Baskerville, all weights, Latin",
    ),
    (
        "font-roboto-slab",
        _ROBOTO_SLAB,
        "fontpkg_roboto_slab/files/RobotoSlab[wght].ttf",
        "786ae192477447d33c6672c3055fba7cbfe45184c9a79e77a14f15716ca05b16",
        "Roboto Slab, all weights, Latin",
    ),
    (
        "font-source-sans-3",
        _SOURCE_SANS_3,
        "fontpkg_source_sans_3/files/SourceSans3[wght].ttf",
        "042fe2cc0b933e328410d7acbd0aa6a1873dca5aef81875f4bc214b08825c7b9",
        "Source Sans 3, all weights, Latin",
    ),
    (
        "font-open-sans",
        _OPEN_SANS,
        "fontpkg_open_sans/files/OpenSans[wdth,wght].ttf",
        "36643644f318a812aab2d2ed3bb98f8cf0872527f835fe9398d95fe6b9adb878",
        "Open Sans, all weights, Latin",
    ),
    (
        "font-roboto",
        _ROBOTO,
        "fontpkg_roboto/files/Roboto[wdth,wght].ttf",
        "d7598e12c5dbef095ff8272cfc55da0250bd07fbdecbac8a530b9b277872a134",
        "Roboto, all weights, Latin",
    ),
    (
        "font-inter",
        _INTER,
        "fontpkg_inter/files/Inter[opsz,wght].ttf",
        "29160a80ff49ddcab2c97711247e08b1fab27a484a329ce8b813d820dc559031",
        "Inter, all weights, Latin",
    ),
    (
        "font-ibm-plex-sans",
        _IBM_PLEX_SANS,
        "fontpkg_ibm_plex_sans/files/IBMPlexSans[wdth,wght].ttf",
        "3b031aa4216174205bd8471f88a49b91f093169e9e87bd5262242bc5967fe2e3",
        "IBM Plex Sans, all weights, Latin",
    ),
    (
        "font-montserrat",
        _MONTSERRAT,
        "fontpkg_montserrat/files/Montserrat[wght].ttf",
        "0f7b311b2f3279e4eef9b2f968bcdbab6e28f4daeb1f049f4f278a902bcd82f7",
        "Montserrat, all weights, Latin",
    ),
    (
        "font-roboto-mono",
        _ROBOTO_MONO,
        "fontpkg_roboto_mono/files/RobotoMono[wght].ttf",
        "66a80e79d17e4c7cabd162e2916578a4cc08fd19eef6e2a643305eae9c567b2b",
        "Roboto Mono, all weights, Latin",
    ),
    (
        "font-kalam",
        _KALAM,
        "fontpkg_kalam/files/Kalam-Regular.ttf",
        "57cecb63d4608019371954274ae1d8c397764debd5b19d4a33c1efa4dc923c0b",
        "Kalam, Latin",
    ),
    (
        "font-kalam-bold",
        _KALAM,
        "fontpkg_kalam/files/Kalam-Bold.ttf",
        "2f6576601db015d4f6c08678120277fc8510b98c06e932ce7a6a9cbff4cbdded",
        "Kalam Bold, Latin",
    ),
)
