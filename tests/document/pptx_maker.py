"""Decks that tests read."""

import io
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches, Pt

PIXELS = np.random.default_rng(7).integers(0, 256, (60, 80, 3), dtype=np.uint8)


def deck(path: Path) -> Path:
    """Two slides with one of everything."""
    made = Presentation()
    first = made.slides.add_slide(made.slide_layouts[1])
    first.shapes.title.text = "Meet on Friday"
    first.placeholders[1].text = "First point\nSecond point that is long enough to wrap\nThird"
    slide = made.slides.add_slide(made.slide_layouts[6])
    frame = slide.shapes.add_textbox(Inches(1), Inches(0.5), Inches(4), Inches(1)).text_frame
    frame.word_wrap = True
    for words, bold in (("Hello ", False), ("bold world", True)):
        run = frame.paragraphs[0].add_run()
        run.text, run.font.size, run.font.bold = words, Pt(24), bold
        run.font.color.rgb = RGBColor(200, 0, 0)
    box = (Inches(5.5), Inches(0.5), Inches(3), Inches(1))
    button = slide.shapes.add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, *box)
    button.text_frame.text = "Buy now"
    picture = io.BytesIO()
    Image.fromarray(PIXELS).save(picture, "PNG")
    picture.seek(0)
    slide.shapes.add_picture(picture, Inches(1), Inches(2), Inches(2), Inches(1.5)).crop_left = 0.25
    table = slide.shapes.add_table(2, 2, Inches(4), Inches(2), Inches(4), Inches(1)).table
    for row in range(2):
        for column in range(2):
            table.cell(row, column).text = f"r{row}c{column}"
    group = slide.shapes.add_group_shape()
    group.shapes.add_shape(MSO_SHAPE.OVAL, Inches(1), Inches(4), Inches(1), Inches(1))
    inner = group.shapes.add_textbox(Inches(2.2), Inches(4.2), Inches(2), Inches(0.5))
    inner.text_frame.text = "In a group"
    data = CategoryChartData()
    data.categories = ["a", "b"]
    data.add_series("x", (1, 2))
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, Inches(5), Inches(4), Inches(3), Inches(2), data)
    turned = slide.shapes.add_textbox(Inches(1), Inches(6.5), Inches(3), Inches(0.6))
    turned.rotation = -10
    turned.text_frame.text = "Turned text"
    made.save(path)
    return path


def parts(path: Path) -> dict[str, bytes]:
    """The bytes of each part of a deck."""
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}
