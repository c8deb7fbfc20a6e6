import Testing

@testable import moot

@Suite("So many bytes")
struct ByteCountTests {
    @Test(arguments: [
        ("1MiB", 1 << 20), ("500 MiB", 500 << 20), ("10GiB", 10 << 30), ("10gib", 10 << 30), ("2TB", 2_000_000_000_000),
        ("8388607TiB", 8_388_607 << 40),
    ])
    func `are a number and a unit`(text: String, bytes: Int) {
        #expect(ByteCount(argument: text)?.bytes == bytes)
    }

    @Test(arguments: ["", "10", "GiB", "0GiB", "-1GiB", "1.5GiB", "10 G", "10KiB", "8388608TiB", "٣GiB", "1GiB "])
    func `are nothing else`(text: String) {
        #expect(ByteCount(argument: text) == nil)
    }
}
