import Testing

@testable import LocalAPIServer

@Suite("Ranges of bytes")
struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-99", 0..<100), ("bytes=100-199", 100..<200), ("bytes=900-", 900..<1_000), ("bytes=-1", 999..<1_000),
        ("bytes=-5000", 0..<1_000), ("bytes=999-999", 999..<1_000), ("bytes=990-99999999999999999999", 990..<1_000),
        ("Bytes= 5 - 6 ", 5..<7),
    ])
    func `name a part of a file`(field: String, part: Range<Int>) {
        #expect(ByteRange(field, ofLength: 1_000) == .part(part))
    }

    @Test(arguments: ["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"])
    func `behind the end of a file are refused`(field: String) {
        #expect(ByteRange(field, ofLength: 1_000) == .beyond)
    }

    @Test(arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
    func `have nothing of an empty file`(field: String) {
        #expect(ByteRange(field, ofLength: 0) == .beyond)
    }

    @Test(arguments: [
        nil, "", "bytes", "bytes=", "bytes=-", "bytes=2-1", "bytes=0-1,5-6", "bytes=a-b", "bytes=0x1-2", "bytes=+1-2",
        "bytes=--1", "bytes=1-2-3", "lines=1-2", "bytes=١-٢",
    ])
    func `that are no single range ask for everything`(field: String?) {
        #expect(ByteRange(field, ofLength: 1_000) == .whole)
    }

    @Test func `a tag is known in each form that clients send`() {
        let tag = EntityTag(id: "0a1b")
        for field in ["\"0a1b\"", "W/\"0a1b\"", "*", "\"x\", \"0a1b\"", " \"0a1b\"\t"] {
            #expect(tag.isAmong([field]), "\(field)")
        }
        for field in ["0a1b", "\"0a1\"", "", "\"0A1B\""] { #expect(!tag.isAmong([field]), "\(field)") }
        #expect(!tag.isAmong([]))
        #expect(EntityTag(of: [1]) != EntityTag(of: [2]) && EntityTag(of: [1]) == EntityTag(of: [1]))
    }
}
