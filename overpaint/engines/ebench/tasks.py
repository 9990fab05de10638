"""EBench's 21 tasks (LMM4Edit): 13 that change what a picture shows, 8 that mend it.

Both tuples are in the order of the numbers that the released paths have: H_00 … and L_00 ….
"""

from collections.abc import Mapping

HIGH = (
    "add", "remove", "replace", "color", "texture", "style", "action", "expression",
    "weather_season", "background", "counting", "position", "size",
)  # fmt: skip
LOW = (
    "deblur", "denoise", "derain", "desnow", "dehaze", "low_light", "shadow_removal",
    "super_resolution",
)  # fmt: skip
TASKS = (*HIGH, *LOW)
GROUP: Mapping[str, str] = {task: "high" if task in HIGH else "low" for task in TASKS}
CODES: Mapping[str, str] = {
    **{f"H_{number:02}": task for number, task in enumerate(HIGH)},
    **{f"L_{number:02}": task for number, task in enumerate(LOW)},
}
