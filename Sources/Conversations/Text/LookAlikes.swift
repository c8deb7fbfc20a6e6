/// Letters and digits that look like others, or are others with marks.
///
/// Made of the data of Unicode: of `confusables.txt` (UTS #39, Unicode 15) what looks like letters and digits of ASCII,
/// and of `UnicodeData.txt` what is such a letter, or one of Greek or Cyrillic, under compatibility and with the marks
/// of every script. Where one case of a letter looks like another letter and the other case like none, both count as
/// that. Letters of scripts that are written from right to left are left out: next to others they move the text around
/// them.
enum LookAlikes {
    /// What a scalar looks like, in small letters; nil for one that looks like itself.
    static func letters(of scalar: Unicode.Scalar) -> String? { alphabet(of: scalar) ?? table[scalar] }

    /// Whether a scalar is a mark over, under or through any letter.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x483...0x489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    /// The letter or digit of the alphabets that stand in Unicode once more in a row: wide, mathematical, in circles
    /// and in boxes.
    private static func alphabet(of scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0xFF10...0xFF19: digit(scalar.value - 0xFF10)
        case 0xFF21...0xFF3A: letter(scalar.value - 0xFF21)
        case 0xFF41...0xFF5A: letter(scalar.value - 0xFF41)
        case 0x1D400...0x1D6A3: letter(scalar.value - 0x1D400)
        case 0x1D7CE...0x1D7FF: digit(scalar.value - 0x1D7CE)
        case 0x24B6...0x24CF: letter(scalar.value - 0x24B6)
        case 0x24D0...0x24E9: letter(scalar.value - 0x24D0)
        case 0x1F110...0x1F129: letter(scalar.value - 0x1F110)
        case 0x1F130...0x1F149: letter(scalar.value - 0x1F130)
        case 0x1F150...0x1F169: letter(scalar.value - 0x1F150)
        case 0x1F170...0x1F189: letter(scalar.value - 0x1F170)
        case 0x1FBF0...0x1FBF9: digit(scalar.value - 0x1FBF0)
        default: nil
        }
    }

    private static func letter(_ place: UInt32) -> String { String(Unicode.Scalar(UInt8(0x61 + place % 26))) }

    private static func digit(_ place: UInt32) -> String { String(Unicode.Scalar(UInt8(0x30 + place % 10))) }

    private static let table: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        for (letters, alike) in rows {
            for scalar in alike.unicodeScalars { table[scalar] = letters }
        }
        return table
    }()

    /// What is seen, and all that looks so.
    private static let rows: [(String, String)] = [
        ("2", "²ƧƨϨϩᒿ₂②ꙄꙅꛯꝚꝛ🯲"),
        ("3", "³ƷǮǯȜȝɜʒЗзӞӟӠӡᵌᶟᶾ₃③ⳌⳍꝪꝫꞫ𑢪𑣊𖼻🯳"),
        ("4", "Ꮞ⁴₄④ꮞ𑢯𑣏🯴"),
        ("5", "Ƽ⁵₅⑤𑢻𑣛🯵"),
        ("6", "БбᏮ⁶₆⑥Ⳓⳓꮾ𑣕🯶"),
        ("7", "⁷₇⑦𐓒𐓺𑣆🯷"),
        ("8", "Ȣȣ৪੪ᴽ⁸₈⑧𐌚🯸"),
        ("9", "৭੧୨൭⁹₉⑨ⳊⳋꝮꝯꝰ𑢬𑢶𑣌𑣖🯹"),
        ("a", "ªÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǞǟǠǡǺǻȀȁȂȃȦȧɑΆΑάαАаӐӑӒӓᎪᗅᴬᵃᵅḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặἀἁἂἃἄ"),
        ("a", "ἅἆἇἈἉἊἋἌἍἎἏὰάᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾰᾱᾲᾳᾴᾶᾷᾸᾹᾺΆᾼₐÅⱭꓮꭺ𐊠𖽀"),
        ("b", "ƄƅΒβϐВЬвьᏏᏴᏼᑲᖯᗷᴮᵇᵝᵦḂḃḄḅḆḇℬꓐꚝꞴꞵꮟ𐊂𐊡𐌁"),
        ("c", "ÇçĆćĈĉĊċČčϲϹСсᏟᴄᶜḈḉℂℭⅭⅽⲤⲥꓚꟲꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲"),
        ("d", "ĎďĐđԀԁᎠᏧᑯᗞᗪᴰᵈḊḋḌḍḎḏḐḑḒḓⅅⅆⅮⅾꓒꓓꭰꮷ"),
        ("e", "ÈÉÊËèéêëĒēĔĕĖėĘęĚěȄȅȆȇȨȩΈΕέεϵЀЁЕеѐёҼҽӖӗᎬᴱᵉḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệἐἑἒἓἔἕἘἙἚἛἜἝ"),
        ("e", "ὲέῈΈₑℯℰⅇⴹꓰꬲꭼ𐊆𑢦𑢮𑣎"),
        ("f", "ſϜϝՔքᖴᶠḞḟẝℱꓝꞘꞙꟳꬵ𐊇𐊥𐔥𑢢𑣂"),
        ("g", "ĜĝĞğĠġĢģƍǦǧǴǵɡԌԍՑցᏀᏳᏻᴳᵍᶃᶢḠḡℊꓖꞬꮐ"),
        ("h", "ĤĥĦħȞȟʰΉΗήηНнҺһՀհᎻᏂᕼᴴᵸḢḣḤḥḦḧḨḩḪḫẖἠἡἢἣἤἥἦἧἨἩἪἫἬἭἮἯὴήᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟῂῃῄῆῇῊΉῌₕℋℌℍℎ"),
        ("h", "ℏⲎⲏꓧꟸꮋꮒ𐋏𐞕"),
        ("j", "ĴĵǰʝʲͿϳЈјᎫᒍᴶᶨⅉⱼꓙꞲꭻ"),
        ("k", "ĶķǨǩΚκϰЌКкќᏦᛕᴷᵏḰḱḲḳḴḵₖKⲔⲕꓗꮶ𐔘"),
        ("l", "¹ÌÍÎÏìíîïĨĩĪīĬĭĮįİıĹĺĻļĽľŁłƖǀǏǐȈȉȊȋɩɪˡͺΊΐΙΪίιϊІЇіїӀӏ۱ᎥᏞᒪᛁᴵᴸᵢᶥᶦḬḭḮḯḶḷḸḹḺḻḼḽỈỉỊịἰἱ"),
        ("l", "ἲἳἴἵἶἷἸἹἺἻἼἽἾἿὶίιῐῑῒΐῖῗῘῙῚΊⁱ₁ₗℐℑℒℓℹⅈⅠⅬⅰⅼ①ⲒⲓⳐⳑⵏꓡꓲꙆꙇꞮꭵꮮ𐊊𐌉𐌠𐐛𐑃𐔦𐞶𑢣𑢲𑣃𑣒𖼖𖼨🯱"),
        ("m", "µΜμϺϻМмᎷᗰᛖᴹᵐḾḿṀṁṂṃₘℳⅯⅿⲘⲙꓟꮇ𐊰𐌑"),
        ("n", "ÑñŃńŅņŇňǸǹΝՈՌոռᴺṄṅṆṇṈṉṊṋⁿₙℕⲚⲛꓠ𐔓"),
        ("o", "ºÒÓÔÕÖØòóôõöøŌōŎŏŐőƠơǑǒǪǫǬǭǾǿȌȍȎȏȪȫȬȭȮȯȰȱΌΟΣοσόОоӦӧՕօ۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐᲿᴏᴑᴼᵒṌṍṎṏ"),
        ("o", "ṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợὀὁὂὃὄὅὈὉὊὋὌὍὸόῸΌ⁰₀ₒℴ⓪Ⲟⲟⵔ〇ꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𐞢𑓐𑢨𑢵𑢷𑣈𑣗𑣠🯰"),
        ("p", "ΡρϱРрᏢᑭᴾᵖᵨṔṕṖṗῤῥῬₚℙⲢⲣꓑꮲ𐊕"),
        ("q", "ԚԛԳԶգզℚⵕꟴ𐞥"),
        ("r", "ŔŕŖŗŘřƦȐȑȒȓʀʳЃГгѓᎡᎱᏒᖇᴦᴿᵣṘṙṚṛṜṝṞṟℛℜℝⲄⲅꓣꭇꭈꭱꮁꮢ𐒴𐓜𐞪𖼵"),
        ("s", "ŚśŜŝŞşŠšƽȘșˢЅѕՏտᏕᏚṠṡṢṣṤṥṦṧṨṩẛₛꓢꜱꮥꮪ𐊖𐐠𐑈𑢡𑣁𖼺"),
        ("t", "ŢţŤťŦŧȚțΤτТтᎢᵀᵗṪṫṬṭṮṯṰṱẗₜⲦⲧꓔꭲ𐊗𐊱𐌕𑢼𖼊"),
        ("u", "ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưƲǓǔǕǖǗǘǙǚǛǜȔȕȖȗʋΰυϋύՍսሀᑌᴜᵁᵘᵤᶸᶹṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰựὐὑὒὓ"),
        ("u", "ὔὕὖὗὺύῠῡῢΰῦῧꓴꞞꞟꭎꭒꭟ𐓎𐓶𑢸𑣘𖽂"),
        ("v", "νѴѵѶѷ۷ᏙᐯᴠᵛᵥṼṽṾṿⅤⅴⱽⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈"),
        ("w", "ŴŵƜɯʷѠѡԜԝԱաᎳᏔᴡᵂᵚẀẁẂẃẄẅẆẇẈẉẘꓪꮃꮤ𑜊𑜎𑜏𑣦𑣯"),
        ("x", "ˣΧχХхᕁᕽᚷᵡᵪẊẋẌẍₓⅩⅹⲬⲭⵝꓫꞳꭓ𐊐𐊴𐌗𐌢𐔧𑣬"),
        ("y", "ÝýÿŶŷŸƔȲȳɣʏʸˠΎΓΥΫγϒϓϔЎУуўҮүӮӯӰӱӲӳყᎩᎽᲧᵞᵧᶌẎẏẙỲỳỴỵỶỷỸỹỾỿὙὛὝὟῨῩῪΎℽℾⲨⲩꓬꭚꭹꮍ𐊲𐞲𑢤𑣜𖽃"),
        ("z", "ŹźŻżŽžΖζᏃᴢᶻẐẑẒẓẔẕℤℨꓜꮓ𐋵𑢩𑣄𑣉𑣥"),
        ("ω", "ΏώὠὡὢὣὤὥὦὧὨὩὪὫὬὭὮὯὼώᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯῲῳῴῶῷῺΏῼ"),
        ("ж", "ӁӂӜӝ"),
        ("и", "ЍЙйѝӢӣӤӥ"),
        ("ч", "Ӵӵ"),
        ("ы", "Ӹӹ"),
        ("э", "Ӭӭ"),
        ("ә", "Ӛӛ"),
        ("ө", "Ӫӫ"),
        ("aa", "Ꜳꜳ"),
        ("ae", "ÆæǢǣǼǽӔӕ"),
        ("ao", "Ꜵꜵ"),
        ("au", "Ꜷꜷ"),
        ("av", "ꜸꜹꜺꜻ"),
        ("ay", "Ꜽꜽ"),
        ("dz", "ǄǅǆǱǲǳʣ"),
        ("ff", "ﬀ"),
        ("fl", "ﬁﬂ"),
        ("lj", "ĲĳǇǈǉ"),
        ("ll", "Ⅱⅱ"),
        ("ls", "ʪ"),
        ("lv", "Ⅳⅳ"),
        ("lx", "Ⅸⅸ"),
        ("lz", "ʫ"),
        ("nj", "Ǌǋǌ"),
        ("oe", "Œœ"),
        ("oo", "ꚘꚙꝎꝏ"),
        ("rn", "𑜀𑣣"),
        ("st", "ﬅﬆ"),
        ("t3", "Ꜩ"),
        ("tf", "ꝷ"),
        ("ts", "ʦ"),
        ("ue", "ᵫ"),
        ("uo", "ꭣ"),
        ("vl", "Ⅵⅵ"),
        ("xl", "Ⅺⅺ"),
        ("ffl", "ﬃﬄ"),
        ("lll", "Ⅲⅲ"),
        ("vll", "Ⅶⅶ"),
        ("xll", "Ⅻⅻ"),
        ("vlll", "Ⅷⅷ"),
    ]
}
