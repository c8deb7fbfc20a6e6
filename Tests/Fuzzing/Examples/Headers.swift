import Cryptography
import OperationLog
import OperationLogFixtures
import Time

extension Example {
    static var headers: [Example] {
        let plain = header { _ in }
        return [
            accepted(.header, "creation", Cast.creation.header.encoded),
            accepted(.header, "first-message", plain),
            accepted(.header, "message-of-a-chain", header { $0.follow(ids(1)[0]) }),
            accepted(.header, "closed-message-with-16-dependencies", header { $0.close(after: ids(16)) }),
            accepted(.header, "membership", header { $0.move(to: .membership) }),
            accepted(.header, "unknown-type", header { $0.type = OperationType(rawValue: .max) }),
            accepted(
                .header, "largest-sequence-number", header { $0.follow(ids(1)[0], at: Limits.maximumSequenceNumber) }),
            refused(.header, "truncated", "nothing", []),
            refused(.header, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.header, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.header, "invalid_value", "version-2", plain.replacing(0..<1, with: [2])),
            refused(.header, "non_canonical_number", "version-in-two-bytes", plain.replacing(0..<1, with: [0x81, 0])),
            refused(
                .header, "non_canonical_number", "type-of-65-bits",
                plain.replacing(1..<2, with: Array(repeating: 0xFF, count: 9) + [2])),
            refused(.header, "invalid_value", "lane-2", plain.replacing(35..<36, with: [2])),
            refused(.header, "invalid_value", "conversation-flag-2", plain.replacing(2..<3, with: [2])),
            refused(.header, "invalid_value", "sequence-number-0", plain.replacing(68..<69, with: [0])),
            refused(
                .header, "invalid_value", "sequence-number-too-large",
                header { $0.follow(ids(1)[0], at: Limits.maximumSequenceNumber + 1) }),
            refused(.header, "too_long", "17-dependencies", header { $0.dependencies = ids(17) }),
            refused(.header, "truncated", "dependencies-that-are-not-there", plain.replacing(69..<70, with: [16])),
            refused(.header, "unsorted", "dependencies-in-disorder", header { $0.dependencies = ids(2).reversed() }),
            refused(
                .header, "unsorted", "the-same-dependency-twice", header { $0.dependencies = [ids(1)[0], ids(1)[0]] }),
            refused(
                .header, "invalid_value", "previous-among-the-dependencies",
                header {
                    $0.follow(ids(1)[0])
                    $0.dependencies = ids(1)
                }),
            refused(.header, "invalid_value", "content-without-membership", header { $0.membershipHeads = [] }),
            refused(.header, "invalid_value", "message-without-conversation", header { $0.conversation = nil }),
            refused(
                .header, "invalid_value", "creation-with-conversation",
                header {
                    $0.move(to: .membership)
                    $0.type = .create
                }),
            refused(
                .header, "too_long", "body-above-the-limit", header { $0.bodyLength = Limits.maximumBodyBytes + 1 }),
            refused(.header, "invalid_value", "time-0", header(at: 0)),
            refused(.header, "invalid_value", "time-2-to-the-64", header(at: .max)),
        ]
    }

    /// Ids of operations that nobody wrote, ascending.
    static func ids(_ count: Int) -> [OperationID] {
        (0..<count).map { OperationID(digest: .hash("example", [UInt8($0)])) }.sorted()
    }

    private static func header(_ change: (inout OperationHeader) -> Void) -> [UInt8] {
        var header = OperationHeader(
            type: .message, conversation: Cast.conversation, lane: .content, device: Cast.alice.device,
            sequenceNumber: 1, previous: nil, dependencies: [], membershipHeads: [Cast.creation.id], time: Cast.time,
            bodyLength: 5, bodyDigest: .hash("example", [5]))
        change(&header)
        return header.encoded
    }

    /// A header whose time no timestamp can hold.
    private static func header(at milliseconds: UInt64) -> [UInt8] {
        let plain = header { _ in }
        let end = plain.count - Digest.byteCount - 1
        let start = end - wire { $0.write(number: UInt64(Cast.time.milliseconds)) }.count
        return plain.replacing(start..<end, with: wire { $0.write(number: milliseconds) })
    }
}

extension OperationHeader {
    fileprivate mutating func follow(_ previous: OperationID, at place: UInt64 = 2) {
        self.previous = previous
        sequenceNumber = place
    }

    fileprivate mutating func close(after dependencies: [OperationID]) {
        self.dependencies = dependencies
        epoch = dependencies.first
    }

    fileprivate mutating func move(to lane: Lane) {
        self.lane = lane
        type = .set
        membershipHeads = []
    }
}
