import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Reading canonical values")
struct CanonicalReaderTests {
    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, UInt64(1) << 63, .max - 1, .max])
    func `a number reads back`(value: UInt64) throws {
        var writer = CanonicalWriter()
        writer.write(number: value)
        var reader = CanonicalReader(writer.bytes)
        #expect(try reader.number() == value)
        try reader.finish()
    }

    @Test(arguments: [0, 1, -1, 64, -65, .max, .min] as [Int64])
    func `a difference reads back`(value: Int64) throws {
        var writer = CanonicalWriter()
        writer.write(difference: value)
        var reader = CanonicalReader(writer.bytes)
        #expect(try reader.difference() == value)
        try reader.finish()
    }

    @Test(
        arguments: [
            [0x80, 0x00], [0xFF, 0x80, 0x00], Array(repeating: 0xFF, count: 9) + [0x02],
            Array(repeating: 0x80, count: 10) + [0x01],
        ] as [[UInt8]])
    func `a number in a longer form or beyond 64 bits is refused`(bytes: [UInt8]) {
        var reader = CanonicalReader(bytes)
        #expect(throws: MalformedBytes.number) { try reader.number() }
    }

    @Test func `a count beyond its limit is refused before anything is read`() {
        var reader = CanonicalReader([0xFF, 0xFF, 0xFF, 0xFF, 0x0F])
        #expect(throws: MalformedBytes.tooLong(field: "list", limit: 16)) { try reader.count(of: "list", limit: 16) }
    }

    @Test func `a count that the remaining bytes cannot hold is refused`() {
        var reader = CanonicalReader([3] + Array(repeating: 0, count: 95))
        #expect(throws: MalformedBytes.truncated) { try reader.count(of: "list", limit: 16, each: 32) }
    }

    @Test func `identifiers must ascend strictly`() {
        let first = Digest.hash("test", [1])
        let second = Digest.hash("test", [2])
        for pair in [[max(first, second), min(first, second)], [first, first]] {
            var writer = CanonicalWriter()
            writer.write(count: 2)
            for digest in pair { writer.write(digest: digest) }
            var reader = CanonicalReader(writer.bytes)
            #expect(throws: MalformedBytes.unsorted(field: "ids")) {
                let _: [OperationID] = try reader.ascending(of: "ids", limit: 16)
            }
        }
    }

    @Test func `text that is no UTF-8 is refused, not repaired`() {
        var reader = CanonicalReader([2, 0xC3, 0x28])
        #expect(throws: MalformedBytes.invalid(field: "name")) { try reader.text(of: "name", limit: 10) }
    }

    @Test func `what is left over is refused`() {
        let reader = CanonicalReader([1, 2, 3])
        #expect(throws: MalformedBytes.trailing(count: 3)) { try reader.finish() }
    }
}
