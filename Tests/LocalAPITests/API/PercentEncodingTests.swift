import LocalAPIModel
import Testing

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test(arguments: ["", "plain-text_1.~", "a/b?c#d%e", "Grüße 🚢", "\u{0}\u{7F}", "+ +"])
    func `comes back as it was`(text: String) {
        let encoded = PercentEncoding.encode(text)
        #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test(arguments: ["%", "%4", "%GG", "a%f", "%FF", "%C3"])
    func `is refused where it is broken`(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }
}
