import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("Coding operation headers")
struct HeaderCodingTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a header reads back as it was written`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let header = OperationHeader.random(using: &random)
        let decoded = try OperationHeader(decoding: header.encoded)
        #expect(decoded == header)
        #expect(decoded.encoded == header.encoded)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `no beginning of a header is a header`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let encoded = OperationHeader.random(using: &random).encoded
        for length in encoded.indices {
            #expect(throws: MalformedBytes.self) { try OperationHeader(decoding: Array(encoded[..<length])) }
        }
        #expect(throws: MalformedBytes.trailing(count: 1)) { try OperationHeader(decoding: encoded + [0]) }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `a flipped bit gives another header's bytes or none's`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let header = OperationHeader.random(using: &random)
        var bytes = header.encoded
        for bit in 0..<bytes.count * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8)
            if let other = try? OperationHeader(decoding: bytes) {
                #expect(other != header, "bit \(bit)")
                #expect(other.encoded == bytes, "bit \(bit)")
            }
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
    }

    /// A content header, changed, and what reading it back must say.
    private func expect(_ error: MalformedBytes, after change: (inout OperationHeader) -> Void) {
        func id(_ name: UInt8) -> OperationID { OperationID(digest: .hash("test", [name])) }
        var header = OperationHeader(
            type: .message, conversation: ConversationID(digest: .hash("test", [0])), lane: .content,
            device: DeviceID(digest: .hash("test", [1])), sequenceNumber: 2, previous: id(2), dependencies: [id(3)],
            membershipHeads: [id(4)], time: .earliest, bodyLength: 0, bodyDigest: .hash("test", [5]))
        change(&header)
        #expect(throws: error) { try OperationHeader(decoding: header.encoded) }
    }

    @Test func `too many dependencies are refused`() {
        let ids = (0..<17 as Range<UInt8>).map { OperationID(digest: .hash("test", [$0])) }.sorted()
        expect(.tooLong(field: "dependencies", limit: 16)) { $0.dependencies = ids }
        expect(.tooLong(field: "membership heads", limit: 16)) { $0.membershipHeads = ids }
    }

    @Test func `unsorted dependencies are refused`() {
        expect(.unsorted(field: "dependencies")) {
            $0.dependencies = [$0.dependencies[0], $0.membershipHeads[0]].sorted(by: >)
        }
    }

    @Test func `a body beyond its limit is refused`() {
        expect(.tooLong(field: "body length", limit: Limits.maximumBodyBytes)) {
            $0.bodyLength = Limits.maximumBodyBytes + 1
        }
    }

    @Test func `a sequence number of zero or beyond the limit is refused`() {
        expect(.invalid(field: "sequence number")) {
            $0.sequenceNumber = 0
            $0.previous = nil
        }
        expect(.invalid(field: "sequence number")) { $0.sequenceNumber = Limits.maximumSequenceNumber + 1 }
    }

    @Test func `only a creation has no conversation`() {
        expect(.invalid(field: "conversation")) { $0.conversation = nil }
        expect(.invalid(field: "conversation")) { $0.type = .create }
    }

    @Test func `content without membership heads is refused`() {
        expect(.invalid(field: "membership heads")) { $0.membershipHeads = [] }
    }

    @Test func `the previous operation is no dependency`() {
        expect(.invalid(field: "dependencies")) { $0.previous = $0.dependencies[0] }
    }

    @Test(arguments: [0, 946_684_799_999, 4_102_444_800_001, .max] as [UInt64])
    func `a time outside 2000 to 2100 is refused`(milliseconds: UInt64) throws {
        let header = OperationHeader(
            type: .set, conversation: ConversationID(digest: .hash("test", [0])), lane: .membership,
            device: DeviceID(digest: .hash("test", [1])), sequenceNumber: 1, previous: nil, dependencies: [],
            membershipHeads: [], time: .earliest, bodyLength: 0, bodyDigest: .hash("test", [5]))
        var number = CanonicalWriter()
        number.write(number: UInt64(Timestamp.earliest.milliseconds))
        var replacement = CanonicalWriter()
        replacement.write(number: milliseconds)
        let encoded = header.encoded
        // The time, the length of the body and its digest end the header.
        let start = encoded.count - Digest.byteCount - 1 - number.bytes.count
        let forged =
            Array(encoded[..<start]) + replacement.bytes + Array(encoded[(encoded.count - Digest.byteCount - 1)...])
        #expect(throws: MalformedBytes.invalid(field: "time")) { try OperationHeader(decoding: forged) }
    }
}
