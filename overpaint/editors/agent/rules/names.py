"""What people call the parts of a design, when they ask and in the names of layers."""

# A paragraph is a part: its role, then its names.
_CALLED = """
title:
  main title, title, headline, main heading, heading, header, head line, big text, main text,
  big words, top line, 大标题, 主标题, 标题, 题目, 大字, 抬头, 主题字, 海报名, 题头

subtitle:
  subtitle, subheading, sub-heading, subheadline, sub-headline, tagline, strapline, slogan,
  副标题, 小标题, 标语, 口号

deadline:
  deadline, closing date, registration date, last day, booking period, registration, 截止日期,
  截止时间, 截止日, 报名截止, 截止, 报名日期

date:
  event date, date, day, 活动日期, 日期, 举办日期, 日子, 活动时间

time:
  starting time, start time, starting hour, kick-off, time, hour, doors, 开始时间, 开场时间,
  时间, 钟点, 几点

place:
  venue, location, address, place, meeting point, site, where, 活动地点, 地点, 场地, 会场, 地址,
  场馆, 举办地, 位置

price:
  ticket price, entry fee, entrance fee, admission, price tag, price, fee, cost, ticket,
  tickets, entry, 票价, 价格, 门票, 费用, 售价, 价钱, 入场费, 单价

discount:
  discount, reduction, rebate, saving, savings, percentage, per cent, percent, markdown,
  price cut, 折扣, 优惠, 减价, 降价, 让利, 力度, 幅度, 百分比

contact:
  contact details, contact information, contact line, contact data, contact info, contact,
  contacts, how to reach us, 联系方式, 联系信息, 联络方式

phone:
  telephone number, phone number, telephone, phone, hotline, number, number to call, call line,
  联系电话, 电话号码, 电话, 热线, 号码, 手机号

website:
  website, web site, web address, web page, webpage, homepage, home page, url, web, 网址, 网站,
  官网, 网页, 主页

email:
  email address, e-mail address, email, e-mail, mail address, 电子邮箱, 电子邮件, 邮箱, 邮件

organiser:
  organiser's name, organiser, organizer, organisers, organizers, host, hosts, presenter,
  sponsor, promoter, who organises it, who hosts it, who presents it, who is behind it,
  people behind it, who runs it, name of the host, credit, 主办方, 主办单位, 主办者, 承办单位,
  承办方, 组织者, 主办, 承办, 举办方, 单位名称, 落款, 出品方, 协办, 署名, 组织单位, 组织方

cta:
  call to action, call-to-action, invitation line, 行动号召, 号召语

ground:
  background colour, background color, background, backdrop, back ground, ground, canvas, paper,
  backing, 背景颜色, 背景色, 背景, 底色, 底图, 底板, 底子, 画布, 衬底

frame:
  frame, border, outline, edging, surround, box around, line around, rim, 边框, 外框, 框线,
  框子, 边线, 相框, 描边, 围框, 框

band:
  colour bar, color bar, band, bar, stripe, strip, banner, footer bar, 色带, 横条, 色条, 色块,
  横幅, 条带, 底条, 长条, 彩条, 条块, 色杠

sticker:
  sticker, badge, seal, stamp, roundel, burst, medallion, rosette, button, label, tag,
  round sign, 贴纸, 标贴, 徽章, 印章, 圆标, 标签, 角标, 圆章, 徽标, 贴标, 圆贴, 章

bunting:
  bunting, pennants, flags, garland, string of flags, 彩旗, 三角旗, 拉旗, 旗子, 挂旗

pattern:
  pattern, scattered motifs, dots, confetti, 图案, 花纹, 纹样, 点缀

corners:
  corner ornaments, corner decorations, corners, 边角, 角花, 四角

rule:
  divider, separator, rule, thin line, underline, 分割线, 分隔线, 横线, 细线

ribbon:
  ribbon, 丝带, 缎带, 飘带, 绶带

picture:
  illustration, picture, image, drawing, photograph, photo, graphic, artwork, art, motif,
  visual, figure, icon, clipart, clip art, symbol, 插图, 图片, 配图, 插画, 图画, 图像, 照片,
  主图, 画面, 图形, 小图

logo:
  logo, logotype, emblem, watermark, 商标, 水印, 台标, 标志, logo图

code:
  qr code, qr-code, barcode, bar code, 二维码, 条形码, 条码

text:
  texts, text, words, word, wording, lettering, letters, copy, type, writing, font, print,
  characters, line, lines, 文字, 文案, 字体, 字样, 字, 文本, 字眼, 这个词, 词语, 字词
"""
CALLED: dict[str, tuple[str, ...]] = {
    role: tuple(" ".join(name.split()) for name in names.split(","))
    for role, _, names in (part.partition(":") for part in _CALLED.strip().split("\n\n"))
}
TEXTS = frozenset(
    """title subtitle deadline date time place price discount contact phone website email
    organiser cta
    """.split()  # noqa: SIM905
)
FIGURES = frozenset(
    """ground frame band sticker bunting pattern corners rule ribbon picture logo code
    """.split()  # noqa: SIM905
)
