"""How a person goes through a study in a browser: by mouse, by keyboard, by touch."""

from typing import Any

LEFT = (
    "(!document.querySelector('.item')"
    " || document.getElementById('progress-count').textContent !== before)"
)


def agree(page: Any, link: str) -> None:
    """Open the link, read, agree, and begin."""
    page.goto(link)
    page.get_by_role("button", name="I agree, and begin").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".item")
    settle(page)


def settle(page: Any) -> None:
    """Wait until all pictures are there and nothing is being sent."""
    page.wait_for_function(
        "() => [...document.images].every((one) => one.complete)"
        " && !document.querySelector('[inert]')"
    )


def counted(page: Any) -> str:
    """Which item it is, as the page says."""
    return str(page.locator("#progress-count").inner_text())


def save(page: Any) -> None:
    """Save, read the feedback if there is any, and wait for what comes next."""
    before = counted(page)
    page.get_by_role("button", name="Save and next").click()
    onward(page, before)


def onward(page: Any, before: str) -> None:
    """Wait until the page has left the item that was counted so; feedback is read by Enter."""
    page.wait_for_function(f"(before) => document.querySelector('.feedback') || {LEFT}", arg=before)
    if page.locator(".feedback").count():
        page.keyboard.press("Enter")
        page.wait_for_function(f"(before) => {LEFT}", arg=before)
    settle(page)


def finished(page: Any) -> bool:
    """Whether the page says thanks."""
    return bool(page.get_by_role("heading", name="That was all. Thank you!").count())


def set_slider(page: Any, name: str, value: float) -> None:
    """Press the slider at a value."""
    slider = page.get_by_role("slider", name=name, exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    thumb = 26.0
    x = thumb / 2 + (value - 1) / 4 * (box["width"] - thumb)
    page.mouse.click(box["x"] + x, box["y"] + box["height"] / 2)


def drag(page: Any, box: tuple[float, float, float, float]) -> None:
    """Draw a box on the edit, in percent of it."""
    layer = page.locator(".box-layer").bounding_box()
    x, y, width, height = box
    points = ((x, y), (x + width / 2, y + height / 2), (x + width, y + height))
    places = [
        (layer["x"] + a / 100 * layer["width"], layer["y"] + b / 100 * layer["height"])
        for a, b in points
    ]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1])
    page.mouse.move(*places[2])
    page.mouse.up()
