import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Coding batches")
struct BatchCodingTests {
    /// A room whose history was told by chance.
    private func room(seed: UInt64, people: Int = 3, steps: Int = 40) throws -> Room {
        var random = SplitMix64(seed: seed)
        var room = try Room(people: people, using: &random)
        try room.live(steps: steps, using: &random)
        return room
    }

    private func whole(_ lane: Lane, of room: Room) -> Batch {
        Batch(lane: lane, operations: room.commits.filter { $0.lane == lane }.flatMap(\.operations))
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `the commits of several authors travel in one batch`(seed: UInt64) throws {
        let room = try room(seed: seed)
        for lane in Lane.allCases {
            let batch = whole(lane, of: room)
            guard !batch.operations.isEmpty else { continue }
            let decoded = try Batch(decoding: batch.encoded, of: room.conversation)
            #expect(decoded.operations.map(\.header) == batch.operations.map(\.header))
            #expect(decoded.operations.map(\.id) == batch.operations.map(\.id))
            #expect(decoded.operations.map(\.body) == batch.operations.map(\.body))
            #expect(decoded.encoded == batch.encoded)
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a piece from the middle reads back`(seed: UInt64) throws {
        let room = try room(seed: seed)
        for commit in room.commits {
            let decoded = try Batch(decoding: commit.encoded, of: room.conversation)
            #expect(decoded.operations.map(\.id) == commit.operations.map(\.id))
            #expect(decoded.encoded == commit.encoded)
        }
    }

    @Test func `both branches of a fork and closed bodies read back`() throws {
        var room = try room(seed: 5)
        var random = SplitMix64(seed: 50)
        let twin = room
        var otherRoom = twin
        try room.writeMessages(3, by: 0, using: &random)
        try otherRoom.writeMessages(2, by: 0, using: &random)
        let branches = [room, otherRoom].flatMap { $0.commits[twin.commits.count].operations }
        let closed = try branches.map {
            try Operation(
                stored: $0.header, id: $0.id, author: $0.author,
                body: $0.header.sequenceNumber % 2 == 0 ? nil : $0.body, signature: $0.signature)
        }
        let batch = Batch(lane: .content, operations: closed)
        let decoded = try Batch(decoding: batch.encoded, of: room.conversation)
        #expect(decoded == batch)
        #expect(decoded.operations.contains { $0.body == nil })
    }

    @Test func `a burst costs few bytes above its bodies`() throws {
        var random = SplitMix64(seed: 8)
        var room = try Room(people: 2, using: &random)
        try room.writeMessages(1_000, by: 0, length: 100, using: &random)
        let bytes = try #require(room.commits.last).encoded.count
        #expect(bytes < 1_000 * (100 + 10))
    }

    @Test(arguments: Lane.allCases)
    func `no beginning of a batch is a batch`(lane: Lane) throws {
        let room = try room(seed: 3, steps: 12)
        let encoded = whole(lane, of: room).encoded
        for length in encoded.indices {
            #expect(throws: MalformedBytes.self) {
                try Batch(decoding: Array(encoded[..<length]), of: room.conversation)
            }
        }
        #expect(throws: MalformedBytes.trailing(count: 1)) { try Batch(decoding: encoded + [0], of: room.conversation) }
    }

    @Test(arguments: Lane.allCases)
    func `a flipped bit is always noticed`(lane: Lane) throws {
        let room = try room(seed: 3, steps: 12)
        var bytes = whole(lane, of: room).encoded
        for bit in 0..<bytes.count * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: MalformedBytes.self, "bit \(bit)") { try Batch(decoding: bytes, of: room.conversation) }
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
    }

    @Test func `a batch of one conversation is none of another`() throws {
        let room = try room(seed: 3, steps: 12)
        let other = ConversationID(digest: .hash("test", [1]))
        #expect(throws: MalformedBytes.signature(field: "chain")) {
            try Batch(decoding: whole(.content, of: room).encoded, of: other)
        }
    }

    @Test(arguments: Surplus.allCases)
    func `a second encoding of the same operations is refused`(surplus: Surplus) throws {
        let alice = try Scribe()
        let message = alice.message("hello")
        #expect(try Batch(decoding: alice.encode(message), of: alice.conversation).operations == [message])
        #expect(throws: MalformedBytes.self) {
            try Batch(decoding: alice.encode(message, with: surplus), of: alice.conversation)
        }
    }

    @Test func `the last operation of a content chain carries a signature`() throws {
        let alice = try Scribe()
        #expect(throws: MalformedBytes.signature(field: "chain")) {
            try Batch(decoding: alice.encode(alice.message("hello"), isSigned: false), of: alice.conversation)
        }
    }

    @Test func `only the last operation of a content chain carries a signature`() throws {
        let alice = try Scribe()
        let first = alice.message("one")
        let second = alice.message("two", after: first)
        // What would be the encoding if both were signed: the second after the first, whose flags ask for a signature.
        var writer = alice.start(of: .content)
        writer.write(count: 2)
        alice.write(first, to: &writer, isSigned: true)
        alice.write(second, to: &writer, isSigned: true, after: first)
        #expect(throws: MalformedBytes.self) { try Batch(decoding: writer.bytes, of: alice.conversation) }
    }

    @Test func `every membership operation carries a signature`() throws {
        let alice = try Scribe()
        let first = alice.rename()
        let second = alice.rename(after: first)
        var signed = alice.start(of: .membership)
        signed.write(count: 2)
        alice.write(first, to: &signed, isSigned: true)
        alice.write(second, to: &signed, isSigned: true, after: first)
        #expect(try Batch(decoding: signed.bytes, of: alice.conversation).operations == [first, second])
        var unsigned = alice.start(of: .membership)
        unsigned.write(count: 2)
        alice.write(first, to: &unsigned, isSigned: false)
        alice.write(second, to: &unsigned, isSigned: true, after: first)
        #expect(throws: MalformedBytes.signature(field: "operation")) {
            try Batch(decoding: unsigned.bytes, of: alice.conversation)
        }
    }

    @Test func `somebody else's signature is refused`() throws {
        let alice = try Scribe()
        let message = alice.message("hello")
        var bytes = alice.encode(message)
        let stranger = try #require(SigningKey(seed: Array(repeating: 99, count: 32)))
        bytes.removeLast(Signature.byteCount)
        bytes += stranger.sign(Operation.statement(of: message.id)).bytes
        #expect(throws: MalformedBytes.signature(field: "chain")) { try Batch(decoding: bytes, of: alice.conversation) }
    }
}
