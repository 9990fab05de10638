"""Two pages as OCR would read them, and answers as good people give them."""

from typing import Any

from overpaint.vision.page import Block

TABLE = (
    "<table><tr><td>Item</td><td>Price</td></tr><tr><td>Adults</td><td>12.50</td></tr>"
    "<tr><td>Children</td><td>4.00</td></tr></table>"
)
ENGLISH = (
    Block((20, 10, 380, 40), "Opening Hours", "title"),
    Block((20, 60, 380, 130), "The museum is open before noon in March. It has 318 rooms to see."
          " Dogs are not allowed (except guide dogs). The garden is large and costs nothing."),
    Block((20, 150, 380, 230), TABLE, "table"),
    Block((20, 240, 120, 280), "Sales increased sharply in 1999.", "figure"),
)  # fmt: skip
CHINESE = (
    Block((20, 10, 380, 40), "年度工作报告", "title"),
    Block((20, 60, 380, 130), "公司营业收入同比增长12.5%，净利润明显提高。"
          "管理费用较去年下降。今后将继续努力。"),
    Block((20, 150, 380, 230), "<table><tr><td>项目</td><td>金额</td></tr><tr><td>收入合计</td>"
          "<td>3,178</td></tr></table>", "table"),
)  # fmt: skip


GOOD: dict[str, dict[str, Any]] = {
    "rate": {"compliance": 3, "authenticity": 3, "satisfaction": 3},
    "box": {"box": {"x": 10, "y": 100 / 3, "width": 40, "height": 50 / 3}},
    "look": {"keep": True},
    "text": {"right": True},
}
