"""What designs are about, in families: who asks for one of a family means it for another of it."""

# Families are parted by empty lines; words of more than one part are joined by an underscore.
_FAMILIES = """
spring summer autumn fall winter season 春季 夏季 秋季 冬季 春天 夏天 秋天 冬天 春日 夏日 秋日
冬日 初春 盛夏 金秋 寒冬 暖春

guitar piano drum drums trumpet violin cello flute saxophone harp accordion ukulele clarinet organ
banjo trombone harmonica choir 吉他 钢琴 小号 架子鼓 鼓 小提琴 大提琴 长笛 萨克斯 竖琴 手风琴
尤克里里 古筝 二胡 琵琶 笛子 口琴 合唱

jazz rock pop blues folk classical techno hip_hop reggae opera country_music soul electronic 爵士
摇滚 流行 蓝调 民谣 古典 电子 说唱 嘻哈 歌剧 戏曲 京剧

football soccer basketball tennis cycling swimming running volleyball baseball golf hockey
ice_hockey badminton table_tennis cricket rugby boxing skiing skating surfing climbing bowling
archery fencing rowing yoga judo karate handball athletics skateboarding marathon wrestling
gymnastics darts chess 足球 篮球 网球 骑行 游泳 跑步 排球 棒球 高尔夫 冰球 羽毛球 乒乓球 板球
橄榄球 拳击 滑雪 滑冰 冲浪 攀岩 保龄球 射箭 击剑 赛艇 划船 瑜伽 柔道 空手道 手球 田径 滑板 马拉松
体操 太极 武术 象棋 围棋 国际象棋

coffee tea cake pizza bread wine beer chocolate ice_cream burger burgers sushi soup cheese honey
juice pasta cocktail cocktails barbecue pancake pancakes waffle waffles cookie cookies cupcake
cupcakes doughnut doughnuts donut sandwich sandwiches salad taco tacos curry dumpling dumplings
steak seafood lemonade smoothie cider pie breakfast lunch dinner brunch dessert hot_dog croissant
pretzel 咖啡 红茶 绿茶 茶 奶茶 蛋糕 披萨 面包 葡萄酒 红酒 啤酒 巧克力 冰淇淋 汉堡 寿司 汤 奶酪
芝士 蜂蜜 果汁 意面 鸡尾酒 烧烤 薄饼 华夫饼 饼干 甜甜圈 三明治 沙拉 咖喱 饺子 火锅 牛排 海鲜
柠檬水 早餐 午餐 晚餐 甜品 甜点 点心 月饼 粽子 汤圆

apple apples orange oranges pear pears cherry cherries strawberry strawberries lemon lemons grape
grapes banana bananas pineapple watermelon peach peaches mango pumpkin tomato carrot carrots
potato potatoes corn onion berry berries vegetable vegetables fruit mushroom mushrooms 苹果 橙子
橘子 梨 樱桃 草莓 柠檬 葡萄 香蕉 菠萝 西瓜 桃子 芒果 南瓜 番茄 胡萝卜 土豆 玉米 蔬菜 水果 蘑菇
荔枝 石榴

sailing mountain mountains camping hiking beach island desert city safari cruise forest lake river
sea skiing_trip road_trip train diving countryside fishing kayaking canoeing 航海 登山 露营 徒步
海滩 海岛 沙漠 城市 雪山 森林 湖泊 草原 潜水 乡村 古镇 海边 钓鱼 邮轮 自驾 漂流

cat cats dog dogs owl owls fish rabbit rabbits horse horses bird birds bee bees butterfly
butterflies penguin penguins bear bears panda pandas lion lions tiger tigers elephant elephants
turtle turtles frog frogs duck ducks cow cows sheep pig pigs fox foxes dolphin dolphins whale
whales hamster hamsters parrot parrots hedgehog squirrel squirrels mouse snail ladybird giraffe
giraffes monkey monkeys wolf wolves deer goat swan swans pony ponies puppy kitten 猫咪 猫 小狗 狗
狗狗 金鱼 鱼 猫头鹰 兔子 小兔 马 鸟 小鸟 蜜蜂 蝴蝶 企鹅 熊 熊猫 狮子 老虎 大象 乌龟 海龟 青蛙 鸭子
牛 奶牛 羊 绵羊 猪 小猪 狐狸 海豚 鲸鱼 仓鼠 鹦鹉 刺猬 松鼠 蜗牛 瓢虫 长颈鹿 猴子 狼 鹿 天鹅

chemistry astronomy painting reading physics biology mathematics maths history geography music art
arts science writing poetry coding programming robotics drawing literature philosophy economics
geology botany medicine language english french spanish german chinese dance drama theatre film
cinema 化学 天文 绘画 阅读 物理 生物 数学 历史 地理 音乐 美术 艺术 科学 写作 诗歌 编程 机器人 文学
哲学 经济 地质 植物 医学 语言 英语 法语 书法 舞蹈 戏剧 话剧 电影 国画 油画 素描 摄影课

pottery photography clock clocks sculpture glass jewellery jewelry furniture textile textiles
antique antiques stamp stamps coin coins watch watches car cars toy toys book books comic comics
doll dolls ceramics lace quilt model_railway kite kites lantern lanterns 陶艺 摄影 钟表 雕塑 玻璃
珠宝 家具 纺织 古董 邮票 钱币 手表 汽车 玩具 图书 书籍 漫画 陶瓷 刺绣 剪纸 风筝 灯笼 花灯 茶具

headphones clock clocks vase vases lamp lamps armchair armchairs sofa sofas chair chairs table
tables bed beds mattress carpet carpets mirror mirrors curtain curtains kettle kettles toaster
camera cameras phone phones laptop laptops computer computers television speaker speakers tablet
tablets keyboard printer fridge oven bike bikes bicycle bicycles scooter scooters shoe shoes
sneakers boots bag bags backpack backpacks hat hats cap caps coat coats jacket jackets dress
dresses shirt shirts t-shirt t-shirts jeans scarf scarves glove gloves sunglasses glasses umbrella
umbrellas perfume soap candle candles plant plants 耳机 钟表 花瓶 台灯 灯具 沙发 椅子 桌子 床 床垫
地毯 镜子 窗帘 水壶 相机 手机 电脑 电视 音箱 平板 键盘 冰箱 烤箱 自行车 滑板车 鞋子 运动鞋 靴子
包包 背包 帽子 外套 夹克 裙子 连衣裙 衬衫 牛仔裤 围巾 手套 墨镜 眼镜 雨伞 香水 香皂 蜡烛 绿植

rose roses tulip tulips sunflower sunflowers lily lilies daisy daisies orchid orchids lavender
poppy cactus flower flowers tree trees herb herbs bonsai daffodil blossom 玫瑰 郁金香 向日葵 百合
雏菊 兰花 薰衣草 罂粟 仙人掌 花卉 鲜花 樱花 荷花 莲花 梅花 菊花 牡丹 桃花 盆栽 多肉

christmas easter halloween new_year valentine's_day thanksgiving mother's_day father's_day
carnival birthday wedding graduation anniversary hanukkah diwali ramadan black_friday cyber_monday
lunar_new_year oktoberfest 圣诞 圣诞节 复活节 万圣节 新年 元旦 春节 情人节 感恩节 母亲节 父亲节
狂欢节 生日 婚礼 毕业 周年 中秋 中秋节 端午 端午节 元宵 元宵节 七夕 重阳 重阳节 国庆 国庆节 劳动节
儿童节 清明 妇女节 教师节

car_wash plumbing cleaning gardening repair painting_and_decorating moving massage baking cooking
knitting sewing weaving 洗车 保洁 园艺 维修 搬家 按摩 烘焙 烹饪 编织 缝纫 美甲 美容 健身

space dinosaur dinosaurs pirate pirates robot robots superhero superheroes princess dragon dragons
unicorn unicorns mermaid magic circus fairy knight knights ghost ghosts moon star stars planet
planets ocean jungle rainbow 太空 恐龙 海盗 机器人 超级英雄 公主 龙 独角兽 美人鱼 魔法 马戏 童话
骑士 月亮 星星 星空 行星 海洋 丛林 彩虹

wildlife climate energy recycling health nutrition fitness mental_health finance marketing design
architecture fashion travel gaming photography_basics business technology law engineering
agriculture 环保 气候 能源 健康 营养 金融 营销 设计 建筑 时尚 旅行 旅游 游戏 商业 科技 法律 农业
"""
FAMILIES = tuple(
    frozenset(word.replace("_", " ") for word in row.split())
    for row in _FAMILIES.strip().split("\n\n")
)
TOPICS: frozenset[str] = frozenset().union(*FAMILIES)

# What is held, sold or announced; a topic stands before it.
EVENTS = frozenset(
    """showroom outlet sale market concert camp course festival tournament club week weekend
    afternoon corner trip holiday holidays day days show workshop lecture exhibition fair offer
    offers clearance night evening party class classes lesson lessons event events poster flyer
    card invitation slide banner design meeting meetup conference seminar talk talks tour tours
    race match cup league contest competition championship challenge training school academy fest
    gala ball dinner lunch brunch breakfast picnic bazaar auction expo fete parade gathering
    celebration reception opening screening performance session sessions series season special
    specials menu shop store studio bar cafe house festival's retreat getaway adventure excursion
    walk run ride programme program project campaign month morning hour hours club's rally open
    playdate discount discounts deal deals promotion launch release collection demo demonstration
    version edition theme announcement leaflet brochure pamphlet ad advert advertisement display
    garden society group team circle parlour kitchen market's jam marathon recital matinee premiere
    drive raffle vigil crawl tasting tastings fundraiser rescue adoption
    """.split()  # noqa: SIM905
)
EVENTS_CHINESE = tuple(
    """
    特卖会 特卖 市集 集市 音乐会 演唱会 演奏会 独奏会 夏令营 冬令营 训练营 亲子营 体验营 课程
    公开课 体验课 之夜 晚会 音乐节 艺术节 文化节 美食节 嘉年华 狂欢节 联赛 锦标赛 公开赛 邀请赛
    挑战赛 友谊赛 比赛 大赛 赛事 俱乐部 下午场 夜场 专场 小店 之旅 假期 旅行 旅程 工作坊 讲座 论坛
    沙龙 分享会 见面会 展览会 展览 博览会 交易会 展销会 画展 特展 展会 新品 清仓 促销 大促 优惠
    折扣季 折扣 派对 聚会 活动 海报 传单 卡片 请柬 邀请函 主题 版本 班 营 节 会 展 周 日 赛 季 版
    课 场 店 馆 社 团 夜 游 月
    """.split()  # noqa: SIM905
)


# What stands for a topic in a picture, as layers are named after it.
_SIGNS = """
summer: sun beach palm parasol ice_cream sunglasses
winter: snow snowman snowflake snowflakes ice
autumn: leaf leaves pumpkin
spring: flower flowers blossom tulip
夏季 夏天 夏日: 太阳 沙滩
冬季 冬天 冬日: 雪 雪人 雪花
秋季 秋天 秋日: 落叶 叶子 枫叶
春季 春天 春日: 花 花朵 樱花
christmas: tree santa reindeer bauble
圣诞 圣诞节: 圣诞树 圣诞老人
halloween: pumpkin ghost bat
easter: egg eggs bunny
"""
SIGNS: dict[str, tuple[str, ...]] = {
    topic: tuple(sign.replace("_", " ") for sign in signs.split())
    for topics, _, signs in (row.partition(":") for row in _SIGNS.strip().splitlines())
    for topic in topics.split()
}


def family_of(word: str) -> frozenset[str]:
    """All words of the families that a word belongs to; none where it is not known."""
    said = word.casefold()
    return frozenset().union(*(one for one in FAMILIES if said in one))
