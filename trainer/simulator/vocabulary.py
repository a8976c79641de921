"""Words of the world: products, materials, cities, coupons, shops. Products are split once, for good."""

from typing import Literal

Split = Literal["train", "dev", "test"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_STYLES = _words(
    """
    羊毛 真丝 纯棉 加厚 轻薄 复古 简约 条纹 格子 碎花 宽松 修身 防水 便携 手工 儿童
    """
)
_THINGS = _words(
    """
    围巾 衬衫 外套 毛衣 裙子 裤子 帽子 手套 袜子 睡衣 拖鞋 布包 背包 雨伞 毛毯 枕头 床单
    水杯 茶壶 饭碗 台灯 地垫
    """
)
_ENGLISH_STYLES = _words("wool silk cotton linen soft light warm classic striped floral slim mini")
_ENGLISH_THINGS = _words("scarf shirt coat sweater skirt hat bag mug lamp blanket pillow towel")

PRODUCTS: tuple[str, ...] = (
    *(style + thing for thing in _THINGS for style in _STYLES),
    *(f"{style} {thing}" for thing in _ENGLISH_THINGS for style in _ENGLISH_STYLES),
)

MATERIALS = _words(
    """
    纯棉 羊毛 真丝 亚麻 牛皮 羊皮 羊绒 羽绒 鹅绒 鸭绒 尼龙 涤纶 竹纤维 陶瓷 玻璃 不锈钢
    铝合金 塑料 硅胶 实木 竹木 橡胶 珊瑚绒 灯芯绒 牛仔布 帆布 丝绸 毛呢 人造革 猪皮 马海毛
    羊驼毛 驼绒 兔毛 棉麻 麻布 纸 紫砂 骨瓷 铜 银 铁 钢 水晶 玉石 石头 泡沫 记忆棉 乳胶
    莱卡 天丝 莫代尔 醋酸 粘胶 棉布 绒布 纱布 雪纺 蕾丝 皮革
    """
)

CITIES = _words(
    """
    北京 天津 上海 重庆 石家庄 太原 沈阳 大连 长春 哈尔滨 南京 苏州 无锡 常州 徐州 杭州
    宁波 温州 嘉兴 绍兴 合肥 芜湖 福州 厦门 泉州 南昌 九江 济南 青岛 烟台 郑州 洛阳 武汉
    宜昌 襄阳 长沙 株洲 岳阳 广州 深圳 珠海 佛山 东莞 南宁 桂林 海口 三亚 成都 绵阳 贵阳
    遵义 昆明 大理 西安 咸阳 兰州 西宁 银川 拉萨 呼和浩特 包头 乌鲁木齐
    """
)

SHOPS = _words("青禾 木棉 小满 山海 南风 有光 白露 大树 春田 北岸")
PLATFORMS = ("抖音", "快手", "淘宝", "视频号")
COUPON_WORDS = ("SAVE", "LIVE", "GIFT", "LUCK", "WARM", "FANS")


def products(split: Split) -> tuple[str, ...]:
    """The products of `split`: of every ten, seven train, one dev, two test; no product is in two splits."""
    ranks = {"train": range(7), "dev": range(7, 8), "test": range(8, 10)}[split]
    # 7 is coprime to the 16 styles a thing has, so every style and every thing is met in every split.
    return tuple(name for index, name in enumerate(PRODUCTS) if index * 7 % 10 in ranks)
