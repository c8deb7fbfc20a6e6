import Testing

@testable import Node

@Suite("Words to search for")
struct SearchTermsTests {
    @Test func `all words must be there, of the last one the beginning`() throws {
        let terms = try #require(SearchTerms("ferry nin"))
        #expect(terms.match("The ferry leaves at nine"))
        #expect(terms.match("Nine! The FERRY…"))
        #expect(!terms.match("The ferries leave at nine"))
        #expect(!terms.match("The ferry leaves"))
        #expect(terms.expression == "\"ferry\" \"nin\"*")
    }

    @Test(arguments: ["ferry nin", "nine", "FERRY ", "at the fer", "leaves9", "9", "ferr "])
    func `plain text is matched like any other`(query: String) throws {
        let terms = try #require(SearchTerms(query))
        for text in ["The ferry leaves at nine", "leaves9", "", "Ferry?", "the 9th [ferry]", "at_the@ferry`9{"] {
            // A character beyond ASCII that is in no word makes the text a text like any other.
            #expect(terms.match(text) == terms.match(text + " …"), "\(text)")
        }
    }

    @Test func `a finished word is looked for whole`() throws {
        let terms = try #require(SearchTerms("nin "))
        #expect(!terms.match("nine"))
        #expect(terms.expression == "\"nin\"")
    }

    @Test(arguments: [("Über", "uber"), ("façade", "FACADE"), ("Ελλάδα", "ελλαδα"), ("Ёлка", "елка")])
    func `case and diacritics do not count`(text: String, query: String) throws {
        #expect(try #require(SearchTerms(query)).match(text))
    }

    @Test(arguments: [
        ("ﬁnger", "ﬁnger"), ("ΣΊΣΥΦΟΣ", "ΣΊΣΥΦΟΣ"), ("ẞharp", "ẞharp"), ("Ⓐ circled", "ⓐ"), ("tschüß", "tschüß"),
        ("हिन्दी", "हिन"), ("Ёлка", "ёл"), ("mixedЖ", "mixed"), ("a_b", "b"),
    ])
    func `the index has what a search without it finds`(text: String, query: String) throws {
        let terms = try #require(SearchTerms(query))
        let (word, tokens) = (try #require(terms.words.last), SearchTerms.indexed(text).split(separator: " "))
        let token = try #require(SearchTerms.indexed(word).split(separator: " ").last)
        #expect(terms.match(text) == tokens.contains { $0.hasPrefix(token) })
        #expect(SearchTerms.indexed(text).utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\"") })
    }

    @Test(arguments: [
        // Chinese, Japanese, Korean, Thai, and what mixes them with others.
        ("你好世界", "世界", true), ("你好世界", "你好", true), ("你好世界", "好世", true), ("你好世界", "界", true),
        ("你好世界", "世好", false), ("你好，世界", "好世", false), ("你好 世界", "好世", false), ("今日は世界の日です", "世界の", true),
        ("コンピューター", "ピュータ", true), ("ありがとうございます", "ございます", true), ("안녕하세요 세계", "하세요", true),
        ("한국어사전을 샀다", "사전", true), ("한국어사전", "전사", false), ("สวัสดีชาวโลก", "ชาวโลก", true),
        ("สวัสดีชาวโลก", "โลกชาว", false), ("我的iPhone手机壳", "iphone手机", true), ("我的iPhone手机壳", "的iphone", true),
        ("我的iPhone手机壳", "我iphone", false), ("我的iPhone手机壳", "iph", true), ("我的iPhone手机壳", "hone手机", false),
        ("我的iPhone 手机壳", "iphone手机", true), ("我的iPhone的手机壳", "iphone手机", false),
        ("我的iPhone手机壳", "的iPhone手机", true), ("我的iPhone手机壳", "我的iphone壳", false), ("東京2027年", "2027年", true),
        ("ｶﾀｶﾅ文字", "ｶﾅ", true), ("世界 ferry", "世 fer", true), ("ferry", "世", false), ("𠮷野家", "野家", true),
    ])
    func `where words have no spaces between them a word is found inside`(text: String, query: String, isFound: Bool)
        throws
    {
        let terms = try #require(SearchTerms(query))
        #expect(terms.match(text) == isFound)
        #expect(Self.finds(terms.expression, in: SearchTerms.indexed(text)) == isFound, "\(terms.expression)")
    }

    /// What FTS5 makes of an expression of phrases, all of which a text must have.
    private static func finds(_ expression: String, in indexed: String) -> Bool {
        let tokens = indexed.split(separator: " ")
        let phrases = expression.matches(of: /"([^"]*)"(\*?)/)
        return !phrases.isEmpty
            && phrases.allSatisfy { phrase in
                let sought = phrase.output.1.split(separator: " ")
                let isPrefix = !phrase.output.2.isEmpty
                return tokens.indices.contains { start in
                    let there = tokens[start...].prefix(sought.count)
                    guard there.count == sought.count, let last = sought.last, let end = there.last else {
                        return false
                    }
                    return there.dropLast().elementsEqual(sought.dropLast())
                        && (isPrefix ? end.hasPrefix(last) : end == last)
                }
            }
    }

    @Test(arguments: 1...2_000)
    func `a search with an index and without finds the same in texts of all scripts`(seed: Int) throws {
        let characters = Array("世界你好aB1 กำคカなハ한글é,")
        // A generator by Knuth: the test needs many texts, and the same ones each time.
        var state = UInt64(seed)
        func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        func text(_ most: Int) -> String {
            String((0...next(below: most)).map { _ in characters[next(below: characters.count)] })
        }
        let (text, query) = (text(12), text(4))
        guard let terms = SearchTerms(query) else { return }
        #expect(
            Self.finds(terms.expression, in: SearchTerms.indexed(text)) == terms.match(text), "\(query) in \(text)")
    }

    @Test func `an excerpt stands around a word in a run without spaces`() throws {
        let hay = String(repeating: "草", count: 200)
        let excerpt = try #require(SearchTerms("世界")).excerpt(of: hay + "世界" + hay)
        #expect(excerpt.contains("世界") && excerpt.hasPrefix("…") && excerpt.hasSuffix("…") && excerpt.count == 82)
    }

    @Test(arguments: ["\" OR texts", "a AND NOT b", "NEAR(a b)", "text:secret*", "a' ; DROP TABLE texts --", "^a"])
    func `operators are words`(query: String) throws {
        let expression = try #require(SearchTerms(query)).expression
        let quoted = expression.split(separator: " ").map { $0.hasSuffix("*") ? $0.dropLast() : $0 }
        #expect(quoted.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
        #expect(quoted.allSatisfy { $0.dropFirst().dropLast().allSatisfy(\.isLetter) })
    }

    @Test(arguments: ["", "  ", "?!", "👍"])
    func `without a word there is nothing to look for`(query: String) {
        #expect(SearchTerms(query) == nil)
    }

    @Test func `a search has a limit of words`() {
        #expect(SearchTerms(Array(repeating: "a", count: SearchTerms.maximumTerms).joined(separator: " ")) != nil)
        #expect(SearchTerms(Array(repeating: "a", count: SearchTerms.maximumTerms + 1).joined(separator: " ")) == nil)
    }

    @Test func `an excerpt stands around the first word found`() throws {
        let terms = try #require(SearchTerms("needle"))
        let hay = Array(repeating: "hay", count: 100).joined(separator: " ")
        #expect(terms.excerpt(of: "a needle") == "a needle")
        #expect(terms.excerpt(of: "one\nneedle\n") == "one needle")
        let middle = terms.excerpt(of: hay + " needle " + hay)
        #expect(middle.contains("needle") && middle.hasPrefix("…") && middle.hasSuffix("…") && middle.count == 82)
        let end = terms.excerpt(of: hay + " needle")
        #expect(end.hasSuffix("needle") && end.hasPrefix("…"))
    }
}
