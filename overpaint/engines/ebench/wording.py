"""How the built-in set asks: instructions in several wordings, and both pictures in words."""

from collections.abc import Mapping
from random import Random

# For each low-level task: what the source looks like, what the target does, and ways to ask.
LOOKS: Mapping[str, tuple[str, str]] = {
    "deblur": ("a blurred photograph of {it}", "a sharp photograph of {it}"),
    "denoise": ("a noisy photograph of {it}", "a clean photograph of {it}"),
    "derain": ("{it}, in the rain", "{it}, in clear weather"),
    "desnow": ("{it}, in falling snow", "{it}, in clear weather"),
    "dehaze": ("{it}, in haze", "{it}, in clear air"),
    "low_light": ("a much too dark photograph of {it}", "a well lit photograph of {it}"),
    "shadow_removal": ("{it}, with the shadow of a tree on it", "{it}, without that shadow"),
    "super_resolution": (
        "a photograph of {it} in low resolution", "a photograph of {it} in high resolution",
    ),
}  # fmt: skip
ASKED: Mapping[str, tuple[str, ...]] = {
    "deblur": (
        "Sharpen this picture; it is blurred.",
        "Take the blur away.",
        "The photograph is out of focus or was shaken. Please make it crisp.",
    ),
    "denoise": (
        "Take the noise out of this picture.",
        "Clean up the grain, and keep the details.",
        "This is full of noise. Give me a clean version.",
    ),
    "derain": (
        "Take the rain out of the picture.",
        "Show the same place without rain.",
        "Remove the streaks of rain and the grey air.",
    ),
    "desnow": (
        "Take the falling snow away.",
        "Remove the snowflakes from the picture.",
        "Show the same place when no snow falls.",
    ),
    "dehaze": (
        "Clear the haze.",
        "Make the picture clear; it is hazy.",
        "Take the mist away, so that what is far can be seen.",
    ),
    "low_light": (
        "Brighten this picture; it is too dark.",
        "Show it in good light.",
        "There was too little light. Correct the exposure.",
    ),
    "shadow_removal": (
        "Take the tree's shadow off the picture.",
        "Remove the large shadow that falls in from outside.",
        "Lift the cast shadow, and leave those of the things shown.",
    ),
    "super_resolution": (
        "Raise the resolution of this picture.",
        "Bring out the details of a higher resolution.",
        "It is an enlarged small picture. Make it a truly large one.",
    ),
    "add": (
        "Add {new} {where}.",
        "Put {new} {where}, and keep everything else.",
        "{where} there should be {new}.",
    ),
    "remove": (
        "Remove {the}.",
        "Take {the} out of the picture.",
        "I do not want {the} there. Leave the rest as it is.",
    ),
    "replace": (
        "Replace {the} with {new}.",
        "Put {new} in the place of {the}.",
        "Instead of {the} show {new}.",
    ),
    "color": (
        "Change the colour of {the} to {colour}.",
        "Paint {the} {colour}.",
        "Make {the} {colour}; nothing else changes.",
    ),
    "style": (
        "Turn the picture into {style}.",
        "Show the same scene as {style}.",
        "Make {style} of it.",
    ),
    "weather_season": (
        "Change the clear weather to {weather}.",
        "Show the same place in {weather}.",
        "Let there be {weather}.",
    ),
    "background": (
        "Replace the background with {place}.",
        "Show the same things before {place}.",
        "Keep what stands in front; behind it there should be {place}.",
    ),
    "counting": (
        "Add two more like {the}, so that there are three.",
        "Make it three {many} in place of one.",
        "I want to see three {many}: add two like the one there.",
    ),
    "position": (
        "Move {the} to {side}.",
        "{the} should stand on {side}.",
        "Put {the} over to {side} and leave no trace of it here.",
    ),
    "size": (
        "Make {the} {much}.",
        "{the} should be {much}.",
        "Draw {the} {much}, on the same spot.",
    ),
}


def asked(task: str, grain: str, **parts: str) -> str:
    """One of the task's wordings, the same for the same grain."""
    ways = ASKED[task]
    text = ways[Random(f"asked {grain}").randrange(len(ways))].format(**parts)
    return text[0].upper() + text[1:]


def described(task: str, shows: str) -> tuple[str, str]:
    """Source and target of a low-level task in words."""
    before, after = (sentence(text.format(it=shows)) for text in LOOKS[task])
    return before, after


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
