"""The vocabulary of the tiny tokenizer: general words, Han characters, punctuation runs of the chat form."""

from __future__ import annotations


def words_of(text: str) -> tuple[str, ...]:
    """The words of `text` between white space."""
    return tuple(text.split())


VERBS = words_of(
    """
    get query check lookup find fetch read show list view search load scan ask count track watch open
    tell see retrieve inspect obtain consult examine pull acquire locate request resolve discover peek
    send add save set update put make start stop close call move build run test sort mark copy join draw
    play
    """
)

NOUNS = words_of(
    """
    price cost amount quote value rate tariff charge fee pricing payment budget total sum stock
    inventory remaining supply quantity units availability reserve balance surplus holding material
    fabric texture composition substance makeup delivery shipping arrival transit eta dispatch courier
    freight logistics lead coupon discount voucher rebate promo saving markdown deduction origin source
    region provenance birthplace maker producer place size weight color brand model level grade length
    width height depth speed link item goods product sku listing article entry slot position ref ticket
    piece record lot row city town target dest address area location destination zone country street
    station id key num number index code no name label tag type kind mode state status info data detail
    note report summary page file table field line text word book card board map plan time date day week
    month year hour minute start end now live current latest today room user guest fan host team group
    member owner staff student teacher doctor patient driver pilot weather temp wind rain snow cloud
    river lake sea hill forest garden park road bridge tower gate door wall train bus car plane ship
    bike seat track flight route trip hotel bed lamp desk chair box bag cup plate song film game sport
    match score rank goal race coach club music dance photo video audio image pixel font farm crop seed
    tree leaf flower fruit horse sheep bird fish cat dog cow pig duck bee nest pond soil lab test dose
    drug blood heart bone skin cell gene virus acid metal gas fuel oil power motor valve pipe pump law
    case court judge vote tax bank loan stock bond fund share order bill cash coin gold star moon sun
    planet orbit rocket radar signal cable radio phone screen disk memory core cache queue node
    """
)

SHORT = words_of("a b c d e f g h i j k l m n o p q r s t u v w x y z int str ok of by for in to at on is")

IDENTIFIER_WORDS = tuple(
    dict.fromkeys([*VERBS, *NOUNS, *SHORT, "arguments", "system", "assistant", "tool", "tools"])
)

ENGLISH_WORDS = words_of(
    """
    the of a an is are what which how much many does do did can could you me my it for in on at to from
    by with this that please tell show find look check need want left cost price made item link now any
    there here long days day and or not no yes say said give get help hello hi thanks thank call tools
    tool write reply answer start begin end word words name named repeat value values number city ship
    take takes will would be been have has i we they host shop store stock money pay off save coupon
    come comes where when who your our one two all every each only use about know like To object
    arguments sentence replies persona rules user
    """
)

PUNCTUATION = (
    "\n", "\n\n", " ", ", ", ",", ".", ". ", ".\n", "?", "!", ":", ": ", ":\n", ";", "; ", "(", ")",
    "()", ")\n", "()\n", ")\n\n", "\n- ", "- ", "\n# ", ")\n# ", "()\n# ", "# ", "## ", "\n## ",
    "\n\n## ", ".\n- ", ".\n\n## ", ")\n\n## ", "_", "__", "/", "'", "\"", "\": ", "\": \"", "\", \"",
    ", \"", "\"}", "}", "{", "{\"", "\"}}", "}}", "\"}\n", "}\n", "\"}}\n", "}}\n", "\": {\"",
    "\": {}}\n", "\n{\"name\": \"", "{\"name\": \"", "\n{\"", "\", \"arguments\": {\"", "\": {}}",
    "{\"name\": ..., \"arguments\": ...}", "...", ": ..., \"", "\": ..., \"", "\": ...}", "，", "。",
    "！", "？", "、", "：", "；", "“", "”", "（", "）", "《", "》", "。\n", "。\n- ", "。\n\n",
    "。\n\n## ", "？\n", "”，", "”。", "”：", "”、“", "”。\n", "”。\n- ", "”。\n\n## ", "：\n",
    "：“", "<", ">", "=", "+", "-", "*", "%", "&", "@", "~", "[", "]", "[]", "`", "|", "```", "\t",
    "  ", "    ", "：`", "`\n", "`\n- ", "`\n\n## ", "->", " -> ", ".\n\n", "¥", "～", "…", "……",
    "——",
)  # fmt: skip

LETTER_PAIRS = tuple(
    dict.fromkeys(
        first + second
        for first, second in [
            *((c, v) for c in "bcdfghjklmnpqrstvwxyz" for v in "aeiou"),
            *((v, c) for v in "aeiou" for c in "lmnrst"),
            *(tuple(pair) for pair in words_of("th sh ch st tr pr qu ck ss ll ee oo ea ou ai er")),
        ]
    )
)

THINGS = words_of(
    """
    病房 病人 医生 药房 车站 列车 航班 机场 公园 图书馆 教室 学生 老师 农场 果园 鱼塘 猪圈 温室 水库
    河道 桥梁 路灯 电梯 楼层 球队 球员 比赛 考试 论文 书架 展厅 画廊 星球 卫星 雷达 基站 线路 电机 阀门
    油罐 船只 码头 仓位 账户 保单 基金 法院 案件 律师 社区 街道 餐厅 菜单 食堂 酒店 房间 会议 项目 部门
    员工 司机 出租车 自行车 停车场 充电桩 服务器 网站 文件 相册 歌曲 电影 剧场 座位 博物馆 景点 山峰
    湖泊 海滩
    """
)

ATTRIBUTES = words_of(
    """
    温度 湿度 高度 深度 长度 宽度 速度 年龄 体温 血压 页数 人数 班次 座位 时间 日期 风力 雨量 水位 流量
    电量 油量 电压 压力 频率 幅度 亮度 分数 排名 进球 题目 楼层 面积 容量 距离 方向 位置 地址 电话 姓名
    队长 教练 作者 状态 级别 类型 年份 星期 路程 浓度 酸度 胆固醇 心率 视力 音量 票数 得票 余额 利率
    税率 期限 编码 密码 序号 版本 大小 格式 语言 天气 空气 土壤 品种 产量 树龄 车速 车次 站数 层数 床位
    病情 药量
    """
)

CITIES = words_of(
    """
    北京 天津 石家庄 太原 沈阳 大连 长春 哈尔滨 上海 南京 苏州 无锡 常州 徐州 扬州 杭州 宁波 温州 嘉兴
    绍兴 合肥 芜湖 福州 厦门 泉州 南昌 九江 济南 青岛 烟台 郑州 洛阳 开封 武汉 宜昌 襄阳 长沙 株洲 岳阳
    广州 深圳 珠海 佛山 东莞 南宁 桂林 海口 三亚 成都 绵阳 重庆 贵阳 遵义 昆明 大理 拉萨
    """
)

COMMON = words_of(
    """
    多少钱 多少 价格 怎么 链接 库存 有货 还剩 几件 材质 料子 面料 材料 什么 哪里
    哪儿 产地 地方 产自 优惠券 优惠 几块 寄到 发到 送到 几天 多久 快递 城市 一个
    现在 直播间 主播 观众 请问 想问 我想 知道 想买 有没有 还有 没有 工具 返回 每句
    回复 开头 欢迎 大家 晚上好 你好 支持 来了 第一次 问题 回答 辛苦 弹幕 粉丝 订单
    等级 名单 抽奖 备注 点赞 音乐 积分 置顶 热度 今天 下次 开播 起头 收尾 最后 结果
    先说 再答 加上 后面 重复 照着写 帮我 问下 怎么样 是多少 哪个 名字 什么样 我们
    你们 不要 只说 告诉 单位 助手 说话 简短 规则 要求 角色 调用 编号 给出 商品 宝贝
    尺码 颜色 重量 品牌 保修 发货 退货 运费 包邮 满减 活动 福利 下单 付款 卖家 买家
    评价 收藏 关注 礼物 红包 直播 晚上 早上 中午 明天 昨天 可以 需要 已经 因为 所以
    如果 但是 还是 就是 这个 那个 这里 那里 宝子 家人们 朋友们 姐妹 老铁 大家好 哥哥
    美女 小伙伴 各位 老板 街坊 唐山 保定 包头 鞍山 丹东 锦州 延吉 南通 盐城 台州
    湖州 汕头 湛江 惠州 中山 柳州 兰州 西安 纯棉 羊毛 真丝 亚麻 牛皮 羊皮 竹子
    胡桃木 松木 不锈钢 玻璃 陶瓷 铝合金 尼龙 涤纶 塑料 硅胶 帆布 羽绒 橡胶 石头 羊绒
    驼绒 棉麻 橡木 骨瓷 紫砂 桑蚕丝 麂皮 黄铜 乳胶 鹅绒 竹纤 云南 福建 山东 新疆
    浙江 江苏 广东 四川 贵州 湖南 湖北 江西 安徽 河南 河北 海南 意大利 日本 法国
    泰国 越南 新西兰 广西 陕西 甘肃 宁夏 内蒙古 吉林 辽宁 西藏 德国 巴西 土耳其
    马来西亚
    """
)

HAN_WORDS = tuple(dict.fromkeys(word for word in [*THINGS, *ATTRIBUTES, *CITIES, *COMMON] if len(word) > 1))

HAN = tuple(
    "的一是不了人我在有他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后"
    "作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因"
    "只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应"
    "战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿"
    "原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太"
    "量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界"
    "达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今"
    "切院让识候带导争运笔城低影价钱库存货券惠减元块卖买链号材质料布棉麻丝毛绒皮革竹木瓷银铜铁钢铝胶塑"
    "纸石玻璃陶尼龙涤纶羊驼鹅鸭哪寄送快递邮仓够剩余售贵宜优折满红包抵扣省厂播宝贝亲姐妹哥弟朋友伙伴街"
    "坊板客官粉众欢迎谢请稍帮查诉烦呢吗呀啊吧哦哈嗯谁怎咋京津沪渝冀豫云辽黑湘皖鲁苏浙赣鄂桂甘晋蒙陕吉"
    "闽粤青藏川宁琼广州深圳杭武汉庆昌沙福厦锡肥济岛连沈阳滨春郑庄兰昆萨乌齐亚珠佛莞温台嘉湖绍扬徐泰淮"
    "盐烟威潍淄洛封丽柳遵绵荆襄株衡岳泉漳莆汕潮揭湛茂赤唐秦廊邯鞍抚丹锦营延牡江佳伊犁喀句每复答尾束角"
    "具调写返值容词语字须按照湿风雨雪河站座厅楼层房票页章册馆医药病床车班航速油桥灯池树花苗田猪牛鸡鱼"
    "鸟猫狗星图音画棋球赛课考试卷校租税费率股款账户编码密钥卡盘线网端频幅宽厚薄轻冷热干净旧甜酸苦辣咸"
    "香味食饭菜茶酒糖米饼糕奶肉蛋瓜豆菌菇蜂蜜枣桃李杏梨柚橙橘莓葡萄苹蕉芒柠檬核仁栗参枸杞菊芽笋藕椒姜"
    "蒜葱衣裤裙帽鞋袜衫袍枕巾毯帘垫伞箱袋盒瓶罐杯碗盆锅刀叉勺筷桌椅柜架凳镜梳刷尺夹环戒坠钻玉翡翠份双"
    "套批支列找读测算录删改停启锁推拍讲念背唱跳跑飞游爬坐睡醒吃喝玩乐首疆兴土换徽蚕黄抽松巴紫肃久辛乳"
    "级置耳橡越奖羽赞芜备骨锈纤啥纯订桑单歌状牌波持吵九态注积收胡砂刚顶弹幕古麂帆硅林岁血压船验献胆固"
    "浓视限版壤龄剧博雷阀险案亮暗笑哭爱喜跟随零百千半倍约均超近远早晚夜午晨夏秋冬周末季节假旅景店宿餐"
    "园览"
)
