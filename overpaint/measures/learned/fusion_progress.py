"""How far a picture went where it was asked to go: its change beside what plain filters would do.

For each kind of request there is a plain operator that roughly does it: smoothing for noise, a
steeper top for blur, the dark channel for haze, openings for rain and snow, a curve for darkness, a
lift for shadows. How much of the operator's change is in the change that was made is a coefficient:
0 nothing of it, 1 all of it; damage of other kinds hardly enters. What no operator explains is
either the thing that was asked for or harm: how strong it is, how it is spread, and how much of the
source's structure still shines through where it is. All of it from source, output and instruction.
"""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from overpaint.document import Pixels
from overpaint.measures.learned.fusion_harm import BLOCK, Laid, band, blocks, blurred, luma, middle

Floats = NDArray[np.float32]

LONGEST = 384  # pixels of the longer side at which pictures are looked at
SCALES = (1.0, 2.0, 4.0, 8.0)  # σ in pixels of what is finer and coarser
STRONG = 0.35  # of the strongest change, from which on a place counts as changed
_LEAST = 1e-6

# Stems by which a request is known; what stands in several kinds is asked for in several.
REQUESTS: Mapping[str, str] = {
    "sharp": r"sharp|crisp|blur|focus|shaken|shaky|unclear",
    "large": r"resolution|upscal|enlarg|\bdetails?\b",
    "clean": r"nois[ey]|grain|speckl|\bclean",
    "rain": r"\brain|streak|\bdrops?\b|drizzl",
    "snow": r"snow|flake|blizzard",
    "haze": r"\bhaz[ey]|mist|\bfog|smog|\bclear\b",
    "light": r"bright|\bdark|\blight\b|exposure|exposed|\b(well )?lit\b|\bdim\b",
    "shade": r"shadow|\bshade",
    "add": r"\badd|insert|\bplace an?\b|\bput an?\b|there should be an?\b",
    "remove": r"remov|\beras|delet|\btake .{0,80}\b(away|out|off)\b|without|get rid|not want",
    "replace": r"replac|instead|swap|in the place of|exchange",
    "colour": r"colou?r|\bpaint\b|\bdye"
    r"|\b(red|blue|green|yellow|orange|purple|pink|teal|brown|white|grey|gray|black)\b",
    "style": r"style|watercolou?r|pencil|sketch|drawing|cartoon|painting|\bturn the picture",
    "weather": r"weather|season|winter|summer|autumn|\bspring|let there be|sunny|storm"
    r"|\b(place|scene) in\b",
    "ground": r"background|behind|before an?\b|in front",
    "count": r"\b(two|three|four|five|six|more)\b|\bnumber|\bmany",
    "move": r"\bmove|\bleft\b|\bright\b|over to|position|shift",
    "size": r"larger|smaller|bigger|\bsize|\btiny|\bhuge|shrink|\bgrow",
    "texture": r"texture|made of|wooden|metal|marble|fabric|material|stone",
    "pose": r"smil|frown|\bcry|angry|expression|jump|\bsit|\bstand\b|\brun|walk|\bpose",
}  # fmt: skip
WHOLE = ("curve",)  # operators that work on all of the picture alike
_REQUESTS = {name: re.compile(words) for name, words in REQUESTS.items()}
# Which operator does what is asked, in the order of precedence.
MENDS: Mapping[str, str] = {
    "shade": "lift", "rain": "streaks", "snow": "flakes", "clean": "smooth", "haze": "air",
    "light": "curve", "large": "fine", "sharp": "fine",
}  # fmt: skip


def requests(instruction: str) -> dict[str, float]:
    """Which kinds of request an instruction is, 1 or 0 for each."""
    text = instruction.casefold()
    return {name: float(bool(words.search(text))) for name, words in _REQUESTS.items()}


def of_request(given: Laid, instruction: str) -> dict[str, float | None]:
    """Everything that this file knows of an edit: the output as it is laid over its source."""
    asked = requests(instruction)
    source, output = given.source, given.output
    steps = {name: luma(step) for name, step in _steps(source).items()}
    after = {name: luma(step) for name, step in _steps(output).items()}
    change = luma(output) - luma(source)
    found: dict[str, float | None] = {}
    for name, step in steps.items():
        found[f"goes {name}"] = _share(change, step)
        found[f"size of {name}"] = float(np.sqrt((step**2).mean()))
        found[f"way {name}"], found[f"way {name} coarse"] = _ways(change, step)
        found[f"left {name}"] = _remains(step, after[name])
    found |= _come((source, output), after)
    rest, together = _unexplained(change, list(steps.values()))
    found |= {f"joint {name}": c for name, c in zip(steps, together, strict=True)}
    found |= _left(rest, source)
    found |= _place((source, output)) | {f"asks {name}": value for name, value in asked.items()}
    return found | _asked(found, _mends(asked))


def _asked(found: Mapping[str, float | None], mends: str) -> dict[str, float | None]:
    """What of it is about the very thing that was asked for."""
    told: dict[str, float | None] = {f"by {name}": float(name == mends) for name in _OPERATORS}
    names = ("asked fine", "asked coarse", "asked left", "asked size")
    if not mends:
        shines = found["shines1"]
        assert shines is not None
        through = {"through": 1 - shines, "strong": found["strongest"], "progress": 1 - shines}
        return {**told, **dict.fromkeys(names), **through}
    whole = mends in WHOLE
    parts = (
        found[f"goes {mends}" if whole else f"way {mends}"],
        found[f"goes {mends}" if whole else f"way {mends} coarse"],
        found[f"left {mends}"], found[f"size of {mends}"],
    )  # fmt: skip
    told |= dict(zip(names, parts, strict=True))
    return {**told, "through": None, "strong": None, "progress": parts[0]}


def _mends(asked: Mapping[str, float]) -> str:
    """The operator that does what is asked; none where something is to come or to change."""
    adds = asked["weather"] and not asked["remove"]
    other = any(asked[name] for name in ("add", "replace", "count", "move", "size", "style"))
    if adds or other:
        return ""
    return next((MENDS[name] for name in MENDS if asked[name]), "")


def reduced(pixels: Pixels) -> Floats:
    """A picture on 0 to 1, no larger than pictures are looked at here."""
    import cv2

    high, wide = pixels.shape[:2]
    scale = LONGEST / max(high, wide)
    if scale < 1:
        size = max(1, round(wide * scale)), max(1, round(high * scale))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
    return np.asarray(pixels, np.float32) / np.float32(255)


def _share(change: Floats, step: Floats) -> float:
    """How much of a step is in a change; both less their means, 0 where there is no step."""
    a, b = change - change.mean(), step - step.mean()
    size = float((b * b).mean())
    return float(np.clip((a * b).mean() / size, -3, 3)) if size > _LEAST else 0.0


def _ways(change: Floats, step: Floats) -> tuple[float, float]:
    """The same block by block, on the weighted median, as it is and at a quarter of the size."""
    import cv2

    change = change - np.median(change)
    found = []
    high, wide = (max(1, round(length / 4)) for length in change.shape)
    small = [cv2.resize(one, (wide, high), interpolation=cv2.INTER_AREA) for one in (change, step)]
    for pair, side in (((change, step), BLOCK), (small, BLOCK // 4)):
        parts = [np.asarray(one, np.float32) for one in pair]
        size = blocks(parts[1] ** 2, side)
        share = middle(blocks(parts[0] * parts[1], side) / (size + 1e-9), size)
        found.append(float(np.clip(share, -3, 3)) if float(size.mean()) > 1e-8 else 0.0)
    return found[0], found[1]


def _remains(before: Floats, after: Floats) -> float:
    """How much more or less an operator finds to do in the output, as a logarithm."""
    sizes = [float(np.sqrt(np.median(blocks(one**2)))) + 2e-3 for one in (before, after)]
    return float(np.log(sizes[1] / sizes[0]))


# ── operators ───────────────────────────────────────────────────────────────────────────


def _steps(pixels: Floats) -> dict[str, Floats]:
    """What each operator would change in a picture."""
    return {name: way(pixels) - pixels for name, way in _OPERATORS.items()}


def _smooth(pixels: Floats) -> Floats:
    import cv2

    return np.asarray(cv2.bilateralFilter(cv2.GaussianBlur(pixels, (0, 0), 0.8), 7, 0.25, 3))


def _fine(pixels: Floats) -> Floats:
    return pixels + (pixels - blurred(pixels, 1.5))


def _mid(pixels: Floats) -> Floats:
    return pixels + (blurred(pixels, 1.5) - blurred(pixels, 5))


def _opened(pixels: Floats, shape: tuple[int, int]) -> Floats:
    import cv2

    return np.asarray(cv2.morphologyEx(pixels, cv2.MORPH_OPEN, np.ones(shape, np.uint8)))


def _streaks(pixels: Floats) -> Floats:
    return _opened(blurred(pixels, 0.5), (1, 7))


def _flakes(pixels: Floats) -> Floats:
    return _opened(blurred(pixels, 0.5), (9, 9))


def _air(pixels: Floats) -> Floats:
    """Haze taken out by the dark channel prior (He et al. 2009), smoothed by blur."""
    import cv2

    dark = cv2.erode(pixels.min(axis=2), np.ones((9, 9), np.uint8))
    far = dark >= np.quantile(dark, 0.99)
    air = np.clip(pixels[far].mean(axis=0), 0.5, 1)
    veil = cv2.erode((pixels / air).min(axis=2), np.ones((9, 9), np.uint8))
    through = np.clip(1 - 0.9 * blurred(np.asarray(veil), 6), 0.25, 1)[..., None]
    return np.asarray(np.clip((pixels - air) / through + air, 0, 1), np.float32)


def _curve(pixels: Floats) -> Floats:
    """As light as pictures are on average, by a power."""
    mean = float(np.clip(pixels.mean(), 0.01, 0.97))
    return np.asarray(np.clip(pixels, 1e-4, 1) ** (np.log(0.45) / np.log(mean)), np.float32)


def _lift(pixels: Floats) -> Floats:
    """What is darker than its surroundings at a large scale, as light as they are."""
    light = luma(pixels)
    near, wide = blurred(light, 5), blurred(light, 60)
    gain = np.clip((wide + 0.05) / (near + 0.05), 1, 3)[..., None]
    return np.asarray(np.clip(pixels * gain, 0, 1), np.float32)


_OPERATORS: Mapping[str, Callable[[Floats], Floats]] = {
    "smooth": _smooth, "fine": _fine, "mid": _mid, "streaks": _streaks, "flakes": _flakes,
    "air": _air, "curve": _curve, "lift": _lift,
}  # fmt: skip


def _come(pair: tuple[Floats, Floats], steps: Mapping[str, Floats]) -> dict[str, float]:
    """How much of the output's own streaks, flakes and grain is new, and how much there is."""
    change = luma(pair[1]) - luma(pair[0])
    found = {}
    for name in ("streaks", "flakes", "smooth"):
        found[f"new {name}"] = _share(change, -steps[name])
        found[f"much {name}"] = float(np.sqrt((steps[name] ** 2).mean()))
    return found


# ── what no operator explains ───────────────────────────────────────────────────────────


def _unexplained(change: Floats, steps: list[Floats]) -> tuple[Floats, list[float]]:
    """The change less the best mix of all steps and a constant, and the mix."""
    basis = np.stack([(step - step.mean()).ravel() for step in steps], axis=1).astype(np.float64)
    flat = (change - change.mean()).ravel().astype(np.float64)
    product = basis.T @ basis / len(flat)
    product += np.eye(len(steps)) * (1e-3 * np.trace(product) / len(steps) + 1e-9)
    mix = np.linalg.solve(product, basis.T @ flat / len(flat))
    rest = (flat - basis @ mix).reshape(change.shape).astype(np.float32)
    return rest, [float(np.clip(one, -3, 3)) for one in mix]


def _left(rest: Floats, picture: Floats) -> dict[str, float]:
    """The strength of what is unexplained, scale by scale, for itself and beside the source's."""
    found: dict[str, float] = {}
    source = luma(picture)
    for at, (fine, coarse) in enumerate(zip((0.0, *SCALES), SCALES, strict=False)):
        part, own = (band(one, fine, coarse) for one in (rest, source))
        size = float(np.sqrt((part**2).mean()))
        found[f"rest{at}"] = float(np.log(size + 1e-4))
        found[f"rest{at} of source"] = float(np.log((size + 1e-4) / (float(own.std()) + 1e-3)))
        spread = blurred(part**2, 8)
        found[f"rest{at} even"] = float(np.log(np.median(spread) / (spread.mean() + 1e-9) + 1e-3))
    return found


def _place(pair: tuple[Floats, Floats]) -> dict[str, float]:
    """Where it changed most: how much, how large a place, and what of the source is still there."""
    import cv2

    lab = [np.asarray(cv2.cvtColor(one, cv2.COLOR_RGB2LAB), np.float32) for one in pair]
    apart = lab[1] - lab[0]
    apart = apart - np.median(apart.reshape(-1, 3), axis=0)
    smooth = blurred(apart, 3)
    distance = np.sqrt((smooth**2).sum(axis=2))
    top = float(np.quantile(distance, 0.995))
    floor = float(np.median(distance))
    inside = distance > max(STRONG * top, 1e-3)
    weight = distance**2 + 1e-9
    count, _, stats, _ = cv2.connectedComponentsWithStats(inside.astype(np.uint8))
    found = {
        "strongest": top, "strongest over all": float(np.log((top + 0.5) / (floor + 0.5))),
        "place": float(inside.mean()),
        "one place": float(stats[1:, cv2.CC_STAT_AREA].max() / inside.sum()) if count > 1 else 0.0,
        "place hue": float(np.hypot(*smooth[inside][:, 1:].mean(axis=0))) if inside.any() else 0.0,
        "place light": float(smooth[inside][:, 0].mean()) if inside.any() else 0.0,
    }  # fmt: skip
    return found | _shines((lab[0][..., 0], lab[1][..., 0]), weight, inside)


def _shines(
    lights: tuple[Floats, Floats], weight: Floats, inside: NDArray[np.bool_]
) -> dict[str, float]:
    """How much of the source's structure is still there, where it changed and elsewhere."""
    found = {}
    for at, (fine, coarse) in enumerate(pairwise(SCALES)):
        one, two = (band(light, fine, coarse) for light in lights)
        found[f"shines{at}"] = _kept(one, two, weight)
        found[f"shines{at} elsewhere"] = _kept(one, two, (~inside).astype(np.float32))
        found[f"new edges{at}"] = _fresh(one, two, weight)
    return found


def _kept(one: Floats, two: Floats, weight: Floats) -> float:
    size = float((weight * one * one).sum())
    return float(np.clip((weight * one * two).sum() / size, -2, 3)) if size > _LEAST else 1.0


def _fresh(one: Floats, two: Floats, weight: Floats) -> float:
    """The output's structure there that is not the source's, beside the source's."""
    kept = _kept(one, two, weight)
    fresh = two - np.float32(kept) * one
    size = float((weight * one * one).sum())
    return float(np.log((float((weight * fresh * fresh).sum()) + 1e-6) / (size + 1e-3) + 1e-3))
