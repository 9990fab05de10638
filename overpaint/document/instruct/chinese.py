"""Chinese: the words that instructions are made of. `kind value: phrase | phrase` a line."""

LEXICON = """
verb change: 替换 | 更改 | 修改 | 更换 | 改写 | 改动 | 更正 | 纠正 | 修正 | 设置 | 设 | 调整 | 使
verb change: 让 | 改 | 换 | 代替 | 取代 | 替代 | 换掉 | 换下 | 替换掉 | 代替掉 | 取代掉 | 替代掉
verb translate: 翻译 | 译 | 翻译成 | 翻译为
verb delete: 删除 | 删去 | 删掉 | 去掉 | 去除 | 移除 | 擦除 | 擦掉 | 清除 | 清空 | 抹去 | 抹掉
verb delete: 拿掉 | 删 | 取消
verb add: 添加 | 增加 | 加上 | 加入 | 插入 | 补上 | 补写 | 填入 | 填写 | 填上 | 写上 | 写入
verb add: 接着写 | 填 | 加 | 再加 | 新增 | 补充 | 写 | 添上 | 增添 | 输入 | 附上 | 追加 | 写明
verb put: 放置 | 放在 | 摆在
verb move: 移动 | 移到 | 移至 | 挪到 | 放到 | 移动到 | 移动至 | 移 | 挪 | 调到 | 搬到 | 移往
verb move: 平移
verb swap: 交换 | 互换 | 对调 | 调换
verb rotate: 旋转 | 转动 | 倾斜 | 转 | 翻转
verb grow: 放大 | 变大 | 加大 | 增大 | 调大 | 扩大 | 放大到 | 放大至 | 放大为
verb shrink: 缩小 | 变小 | 减小 | 调小 | 缩小到 | 缩小至 | 缩小为
verb scale: 缩放 | 缩放到 | 缩放至 | 缩放为
verb bold: 加粗 | 粗体显示
verb unbold: 取消加粗 | 不加粗
verb italic: 变斜 | 倾斜显示
verb underline: 加下划线 | 添加下划线 | 划线 | 加上下划线
verb strike: 加删除线 | 划掉 | 添加删除线
verb align: 居中 | 左对齐 | 右对齐 | 两端对齐 | 居中对齐 | 靠左 | 靠右
verb hide: 隐藏
verb show: 显示 | 显示出
verb front: 置于顶层 | 移到最前 | 置顶 | 移到最上层
verb back: 置于底层 | 移到最后面 | 置底 | 移到最下层
verb merge: 合并 | 合并为一格 | 合并为 | 合并成 | 并成 | 合为 | 并为
into should: 改成 | 改为 | 换成 | 换为 | 替换为 | 替换成 | 更正为 | 更改为 | 修改为 | 修改成
into should: 变成 | 变为 | 更换为 | 应为 | 应该为 | 应当为 | 应当写作 | 应写作 | 应写成 | 应改为
into should: 应该是 | 应是 | 应改成 | 设为 | 设置为 | 调整为 | 调成 | 写成 | 更换成 | 纠正为
into should: 修正为 | 设成 | 染成 | 涂成 | 应当是 | 改回 | 应该写成 | 换作 | 更新为 | 改作
into should: 改写为 | 应当改为 | 应该改为 | 应该改成 | 应更正为 | 改正为
into says: 文字为 | 内容为 | 写作 | 合并后写作 | 内容是 | 文字是 | 为 | 成 | 成为 | 依次为
into says: 各格为
prep of: 写着 | 写有
prep to: 到 | 至
prep from: 从 | 由
prep ba: 把 | 将 | 在 | 对 | 给 | 以 | 于
prep begins: 开头 | 起首 | 起头 | 打头 | 开始
side after: 紧接 | 紧跟
post in: 中 | 里 | 内 | 上 | 中间 | 里面 | 当中 | 之中 | 上的 | 中的 | 里的 | 内的
post of: 的 | 对应的 | 对应 | 所在
post between: 之间
post below: 下面 | 下方 | 之下 | 底下 | 正下方
post above: 上面 | 上方 | 之上 | 正上方
post after: 之后 | 后面 | 后 | 以后 | 后边
post before: 之前 | 前面 | 前 | 以前 | 前边
post right: 旁边 | 旁 | 右侧 | 右边 | 右面 | 右方
post left: 左侧 | 左边 | 左面 | 左方
post end: 末尾 | 结尾 | 最后面 | 的末尾 | 尾部
place top: 顶部 | 页首 | 最上面 | 上部 | 最上方 | 顶端 | 正上
place bottom: 底部 | 页尾 | 最下面 | 下部 | 最下方 | 底端
place left: 最左边 | 左部 | 最左侧 | 左栏 | 左边栏 | 左边一栏 | 左侧一栏 | 左半边
place left: 左列 | 左边一列 | 左侧一列
place right: 最右边 | 右部 | 最右侧 | 右栏 | 右边栏 | 右边一栏 | 右侧一栏 | 右半边
place right: 右列 | 右边一列 | 右侧一列
place centre: 中央 | 正中 | 正中间 | 中心 | 正中央
place top left: 左上角 | 左上方 | 左上
place top right: 右上角 | 右上方 | 右上
place bottom left: 左下角 | 左下方 | 左下
place bottom right: 右下角 | 右下方 | 右下
dir up: 向上 | 往上 | 上移 | 朝上
dir down: 向下 | 往下 | 下移 | 朝下
dir left: 向左 | 往左 | 左移 | 朝左
dir right: 向右 | 往右 | 右移 | 朝右
turn 1: 顺时针 | 顺时针方向
turn -1: 逆时针 | 逆时针方向
turn 180: 倒过来
ord 1: 第一 | 首
ord 2: 第二
ord 3: 第三
ord 4: 第四
ord 5: 第五
ord 6: 第六
ord 7: 第七
ord 8: 第八
ord 9: 第九
ord 10: 第十
ord -1: 最后 | 末 | 倒数第一 | 最后一
ord -2: 倒数第二
all: 所有 | 全部 | 每个 | 每一个 | 全体 | 各个 | 所有的 | 全部的 | 每一处 | 两处 | 都 | 每处
role title: 标题 | 主标题 | 大标题 | 题目
role subtitle: 副标题 | 小标题
role heading: 节标题 | 章节标题
role header: 页眉
role footer: 页脚 | 脚注
role caption: 图注 | 说明文字 | 图片说明 | 题注
role paragraph: 段落 | 段 | 正文 | 自然段 | 一段 | 那一段 | 这一段
role sentence: 句子 | 句 | 一句 | 这一句 | 这句话 | 那句话 | 一句话 | 这句
role line: 行 | 一行 | 这一行 | 那一行 | 行文字 | 行字 | 新的一行 | 整行 | 这一整行 | 一整行
role line: 该行
role word: 词 | 单词 | 词语 | 字样
role letter: 字 | 字母 | 个字
role number: 数字 | 数值 | 数
role date: 日期
role time: 时间
role price: 价格 | 价钱 | 售价 | 票价 | 门票价格 | 单价
role phone: 电话号码 | 电话 | 手机号 | 联系电话
role address: 地址 | 地点
role email: 邮箱 | 电子邮箱 | 邮箱地址 | 邮件地址
role url: 网址 | 链接 | 网站
role slogan: 口号 | 标语 | 广告语
role logo: 标志 | 徽标 | 商标
role label: 一栏 | 栏 | 字段 | 按钮 | 标签 | 该栏
role item: 一条 | 这一条 | 这条 | 条 | 条目 | 项 | 一项 | 这一项 | 要点 | 列表项 | 项目符号
role list: 列表 | 清单
role table: 表格 | 表 | 表中
role column: 列 | 一列 | 这一列 | 那一列 | 整列 | 这一整列 | 最后一列 | 名为
role cell: 单元格 | 格 | 格子 | 两格 | 空格 | 一格
role text: 文字 | 文本 | 字句 | 内容 | 文案
role section: 部分 | 区域 | 板块 | 版块
role picture: 照片 | 插图 | 配图
role shape: 形状 | 矩形 | 圆形 | 色块 | 方框 | 框 | 边框
role background: 背景 | 背景色 | 底色 | 背景颜色
layer: 图层
page: 图片 | 图 | 页面 | 画面 | 海报 | 文档 | 图像 | 版面 | 全文 | 文中 | 图中 | 图里
attr font: 字体
attr colour: 颜色 | 字体颜色 | 文字颜色
attr size: 字号 | 大小 | 字体大小 | 尺寸
attr weight: 粗细 | 字重
attr align: 对齐方式 | 对齐
attr other: 角度 | 间距 | 字间距 | 行间距 | 行距 | 透明度
attr place: 位置
attr look: 样式
look bold: 粗体 | 黑粗体
look regular: 常规 | 不加粗 | 细体
look plain: 正常字体 | 普通字体
look italic: 斜体
look upright: 正体
look underline: 下划线
look strike: 删除线
family serif: 衬线体 | 衬线 | 衬线字体 | 有衬线
family sans: 无衬线体 | 无衬线 | 无衬线字体
family mono: 等宽字体 | 等宽
family handwritten: 手写体 | 手写 | 行书 | 草书 | 手写字体 | 毛笔字 | 行楷
family display: 艺术字 | 艺术体 | 装饰字体 | 美术字
family SimSun: 宋体
family KaiTi: 楷体
family SimHei: 黑体
family FangSong: 仿宋 | 仿宋体
family LiSu: 隶书
family Microsoft YaHei: 微软雅黑 | 雅黑
family Source Han Sans SC: 思源黑体
family Source Han Serif SC: 思源宋体
family PingFang SC: 苹方 | 苹方字体
family STKaiti: 华文楷体
family STSong: 华文宋体
family STHeiti: 华文黑体
family STFangsong: 华文仿宋
family DengXian: 等线 | 等线体
family YouYuan: 幼圆
family other: 另一种字体 | 其他字体 | 别的字体 | 其它字体
grow 1: 大 | 更大 | 大些 | 大号
grow -1: 小 | 更小 | 小些 | 小号
factor 0.5: 一半 | 减半
much 0.4: 一点 | 一些 | 一点点 | 稍微 | 略微 | 稍 | 些 | 点
much 2.0: 很多 | 许多 | 大幅
quote ，: 逗号
quote 。: 句号
quote ！: 感叹号 | 叹号
quote ？: 问号
quote ：: 冒号
quote 、: 顿号
unit %: 百分之
unit °: 度
unit px: 像素
unit cm: 厘米
unit mm: 毫米
unit inch: 英寸
unit pt: 磅
unit x: 倍
points 42: 初号
points 36: 小初
points 26: 一号
points 24: 小一
points 22: 二号
points 18: 小二
points 16: 三号
points 15: 小三
points 14: 四号
points 12: 小四
points 10.5: 五号
points 9: 小五
shade dark: 深 | 暗
shade light: 浅 | 淡
shade bright: 亮 | 鲜
case upper: 大写 | 全部大写
case lower: 小写
and: 和 | 与 | 以及 | 及 | 跟 | 、
then: 然后 | 再 | 并 | 并且 | 同时 | 接着 | 最后再 | 而后
it: 它 | 其 | 它们 | 这 | 那 | 此处
filler: 谢谢 | 请 | 请把 | 麻烦 | 帮我 | 这个 | 该 | 那个 | 之 | 字样 | 原处 | 空白处 | 空白
filler: 一个 | 相邻 | 还空着 | 了 | 续写 | 缺少 | 缺 | 应再 | 最后一句 | 相交 | 新 | 个 | 从左到右
filler: 从上到下 | 有误 | 不再需要 | 不需要 | 一下 | 处 | 那 | 再 | 应 | 掉 | 地 | 得 | 为止
filler: 分别 | 上去 | 进去 | 进行 | 整个 | 整
wish: 其余 | 其他 | 其它 | 保持 | 不变 | 保留 | 留空 | 不要 | 别动 | 合拢 | 下面的行 | 位置不变
wish: 不动 | 不要动 | 不要变 | 不受影响 | 照旧 | 保持不变 | 保持一致 | 与原来相同 | 与原来一致
wish: 与原来一样 | 和原来一样 | 和原来相同 | 和原来一致 | 与原图一致 | 与原文一致
wish: 和原来的 | 与原来的 | 跟原来的 | 跟原来一样 | 使用相同的 | 用相同的 | 采用相同的
wish: 使用原来的 | 用原来的 | 沿用 | 使用原 | 采用原 | 以相同的 | 以原来的 | 使用同样的 | 用同样的
wish: 表格总宽 | 该行留空 | 单元格留空 | 原处留空 | 由其他 | 并合拢 | 不影响 | 不改变 | 别的
kept: 排版 | 布局 | 版式 | 格式 | 风格 | 外观 | 版面布局
tongue: 中文 | 英文 | 汉字 | 英语 | 拼音 | 日文
instead: 而不是 | 而非
except: 除了 | 以外 | 之外
same: 相同 | 一样
vague: 同义词 | 语气 | 错别字 | 错误 | 语法 | 更礼貌 | 更正式 | 反义词 | 近义词 | 礼貌 | 正式
vague: 意思 | 拼写 | 总结 | 概括 | 润色 | 优雅 | 生动
says: 写错了 | 错了 | 写错 | 有错 | 不对 | 太小了 | 太大了 | 是 | 有 | 缺 | 需要
number 1: 一
number 2: 两 | 二
number 3: 三
number 4: 四
number 5: 五
number 6: 六
number 7: 七
number 8: 八
number 9: 九
number 10: 十
number 15: 十五
number 20: 二十
number 30: 三十
number 45: 四十五
number 60: 六十
number 90: 九十
number 180: 一百八十
"""
