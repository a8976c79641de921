"""Words of the world: products, materials, cities, coupons, shops. Products are split once, for good."""

from typing import Literal

Split = Literal["train", "dev", "test"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_STYLES = _words("红色 白色 黑色 粉色 大号 小号 加厚 轻薄 复古 冬季 夏季 春季 新款 宽松 长款 日式 家用")
_THINGS = _words(
    """
    毛衣 外套 裙子 裤子 帽子 袜子 睡衣 背包 雨伞 毛毯 枕头 床单 水杯 饭碗 台灯 地垫 桌布
    手套 毛巾 大衣 风衣 长裤 皮带 椅子 镜子 花瓶 茶杯 盘子
    """
)
_ENGLISH_STYLES = _words("long new red big small soft warm light white black")
_ENGLISH_THINGS = _words("bag cup lamp box chair desk plate bed book coat")


def _ranked(things: tuple[str, ...], styles: tuple[str, ...], join: str) -> dict[str, int]:
    """Products with a rank from 0 to 9; every thing and every style is met under every rank."""
    return {
        style + join + thing: (3 * at_thing + at_style) % 10
        for at_thing, thing in enumerate(things)
        for at_style, style in enumerate(styles)
    }


_RANKS = {**_ranked(_THINGS, _STYLES, ""), **_ranked(_ENGLISH_THINGS, _ENGLISH_STYLES, " ")}
PRODUCTS = tuple(_RANKS)

MATERIALS = _words(
    """
    纯棉 羊毛 真丝 亚麻 牛皮 羊皮 羊绒 羽绒 鹅绒 鸭绒 驼绒 尼龙 涤纶 陶瓷 玻璃 不锈钢
    铝合金 塑料 硅胶 实木 竹木 橡胶 帆布 毛呢 猪皮 棉麻 麻布 纸 紫砂 骨瓷 铜 银 铁 钢
    玉石 石头 乳胶 天丝 棉布 绒布 皮革
    """
)

CITIES = _words(
    """
    北京 天津 上海 重庆 石家庄 太原 沈阳 大连 长春 哈尔滨 南京 苏州 无锡 常州 徐州 杭州
    宁波 温州 嘉兴 绍兴 合肥 芜湖 福州 厦门 泉州 南昌 九江 济南 青岛 烟台 郑州 洛阳 武汉
    宜昌 襄阳 长沙 株洲 岳阳 广州 深圳 珠海 佛山 东莞 南宁 桂林 海口 三亚 成都 绵阳 贵阳
    遵义 昆明 大理 西安 咸阳 兰州 西宁 银川 拉萨 包头
    """
)

SHOPS = _words("青禾 木棉 小满 山海 南风 有光 白露 大树 春田 北岸")
PLATFORMS = ("抖音", "快手", "淘宝", "视频号")
COUPON_WORDS = ("SAVE", "LIVE", "GIFT", "LUCK", "WARM", "FANS")


def products(split: Split) -> tuple[str, ...]:
    """The products of `split`: of every ten, seven train, one dev, two test; no product is in two splits."""
    ranks = {"train": range(7), "dev": range(7, 8), "test": range(8, 10)}[split]
    return tuple(name for name, rank in _RANKS.items() if rank in ranks)
