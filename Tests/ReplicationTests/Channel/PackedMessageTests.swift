import Cryptography
import CryptographyFixtures
import Foundation
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

@Suite("Messages in which words are left out that were sent before")
struct PackedMessageTests {
    private static let slot = PeerMessage.LaneSlot(slot: 3, lane: .content)
    private static let start = Instant(sinceStart: .zero)

    /// What somebody pushes who writes several messages, one after the other.
    private func pushes(_ count: Int) throws -> [[UInt8]] {
        let fixture = try ReplicatorFixture(hosts: 2, seed: 17)
        var log = fixture.hosts[0].log
        return try (0..<count).map { number in
            let written = try log.write(
                content: [.init(type: .message, body: Array(repeating: UInt8(number), count: 100))],
                by: fixture.hosts[0].person.author, at: Timestamp(clamping: 1_700_000_000_000 + Int64(number)))
            let batch = Batch(lane: .content, operations: written.map(\.operation))
            return PeerMessage.lane(Self.slot, .batch(isAnswer: false, reached: [3], batch.encoded)).encoded
        }
    }

    /// A receipt about so many devices; what it says of each is `number`.
    private func receipt(devices: Int, number: UInt64) -> [UInt8] {
        var writer = CanonicalWriter()
        for word in ["user", "key"] { writer.write(digest: .hash("test", Array(word.utf8))) }
        writer.write(number: 1_700_000_000_000 + number)
        writer.write(number: 1_700_000_000_000 + number)
        writer.write(count: devices)
        for device in 0..<devices {
            writer.write(digest: .hash("test", [UInt8(device)]))
            writer.write(number: number)
            writer.write(number: 0)
        }
        writer.write(raw: Array(repeating: 9, count: 64))
        return PeerMessage.conversation(Self.slot, .receipts(.receipts([writer.bytes], absent: []))).encoded
    }

    // MARK: - What it saves

    @Test func `a push names its author, its heads and its epoch in full only once`() throws {
        var pair = try ChannelPair.open()
        let pushes = try pushes(5)
        var added: [Int] = []
        for push in pushes {
            let frames = try pair.sealed(push)
            added.append(frames.count - 19 - push.count)
            #expect(try pair.bob.receive(frames, at: pair.now).events == [.message(push)])
        }
        // Author, key and head are 32 bytes each. Packed each is a byte, and the bytes before it are counted.
        #expect(added[0] <= 8 && added[1...].allSatisfy { $0 <= 8 - 3 * 32 }, "\(added)")
    }

    @Test(arguments: [10, 30, 60, 200])
    func `a receipt costs about six bytes for each device that it names`(devices: Int) throws {
        var packer = MessagePacker()
        var unpacker = MessageUnpacker()
        for number in 1...5 as ClosedRange<UInt64> {
            let message = receipt(devices: devices, number: 1_000 + number)
            let result = packer.pack(message)
            let packed = try #require(result)
            #expect(try unpacker.unpack(packed[...]) == message)
            if number > 1 { #expect(packed.count <= 110 + 7 * devices) }
        }
    }

    @Test func `nothing is packed for a side that does not say it reads that`() throws {
        for capabilities in [0, 1, 3] as [UInt64] {
            var random = SplitMix64(seed: 1)
            let (bobAsMember, carolAsMember) = (Member(using: &random), Member(using: &random))
            var bob = bobAsMember.channel(.responder, using: &random)
            var carol = try Stranger(dialing: &bob, as: carolAsMember, using: &random) { transcript, staticKey in
                var proof = Proof(
                    of: carolAsMember, role: 0, transcript: transcript, staticKey: staticKey,
                    signedCapabilities: capabilities)
                proof.capabilities = capabilities
                return proof.encoded
            }
            for push in try pushes(4) { bob.enqueue(push, urgency: .live) }
            let kinds = try carol.opened(bob.nextFrames(upTo: .max, at: Self.start)).map(\.first)
            #expect(kinds == Array(repeating: capabilities & 1 == 0 ? 0 : 4, count: 4))
        }
    }

    @Test func `what waits counts as many bytes as it will have`() throws {
        var pair = try ChannelPair.open()
        for push in try pushes(9) { pair.alice.enqueue(push, urgency: .live) }
        let waiting = pair.alice.queuedBytes
        #expect(waiting == pair.alice.queuedLiveBytes)
        let frames = try pair.alice.nextFrames(upTo: .max, at: pair.now)
        #expect(frames.count - 9 * (2 + 1 + 16) == waiting - 9 * SecureChannel.messageOverhead)
        #expect(pair.alice.queuedBytes == 0)
    }

    // MARK: - Laws

    /// A message of a kind that is packed or not, with words of a pool; some end where they should not.
    private func message(using random: inout SplitMix64) -> [UInt8] {
        func word() -> Digest { .hash("test", Array("\(Int.random(in: 0..<900, using: &random))".utf8)) }
        var writer = CanonicalWriter()
        let kind = [9, 19, 20, 4, 12].randomElement(using: &random) ?? 9
        writer.write(byte: UInt8(kind))
        writer.write(Self.slot)
        if kind == 9 {
            writer.write(raw: [0, 0, 1, 1])
            for _ in 0..<2 { writer.write(digest: word()) }
            writer.write(number: 0)
            for _ in 0..<2 {
                let count = Int.random(in: 0..<20, using: &random)
                writer.write(count: count)
                for _ in 0..<count { writer.write(digest: word()) }
            }
        } else if kind == 19 {
            return receipt(devices: Int.random(in: 0..<250, using: &random), number: .random(in: 1...9, using: &random))
        } else {
            for _ in 0..<3 { writer.write(digest: word()) }
        }
        writer.write(raw: random.bytes(Int.random(in: 0..<60, using: &random)))
        let cut = Int.random(in: 0..<4, using: &random) == 0
        return cut ? Array(writer.bytes.prefix(Int.random(in: 1...writer.bytes.count, using: &random))) : writer.bytes
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `whatever is sent comes as it was sent, in its order`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var pair = try ChannelPair.open(seed: seed)
        var sent: [[UInt8]] = []
        var frames: [UInt8] = []
        for _ in 0..<120 {
            let message = message(using: &random)
            sent.append(message)
            pair.alice.enqueue(message, urgency: .live)
            if Bool.random(using: &random) { frames += try pair.alice.nextFrames(upTo: .max, at: pair.now) }
        }
        frames += try pair.alice.nextFrames(upTo: .max, at: pair.now)
        #expect(try pair.bob.receive(frames, at: pair.now).events == sent.map { .message($0) })
        #expect(frames.count < sent.reduce(0) { $0 + $1.count } + 120 * 19)
    }

    @Test(arguments: [MessagePacker.maximumMessageBytes, MessagePacker.maximumMessageBytes + 1])
    func `the longest message that is packed fits one frame, and a longer one is sent as it is`(bytes: Int) throws {
        var packer = MessagePacker()
        var unpacker = MessageUnpacker()
        // Words in a row, each of which comes for the second time and is remembered: that is when packing adds most.
        var writer = CanonicalWriter()
        writer.write(byte: 9)
        writer.write(Self.slot)
        writer.write(raw: [0, 0, 0, 0])
        let words = 370
        writer.write(count: words)
        for word in 0..<words { writer.write(digest: .hash("test", Array("\(word % 180)".utf8))) }
        writer.write(raw: Array(repeating: 1, count: bytes - writer.bytes.count))
        for _ in 0..<3 {
            guard let packed = packer.pack(writer.bytes) else {
                #expect(bytes > MessagePacker.maximumMessageBytes)
                continue
            }
            #expect(packed.count <= SecureChannel.chunk)
            #expect(try unpacker.unpack(packed[...]) == writer.bytes)
        }
    }

    // MARK: - What no honest node sends

    private static let word: [UInt8] = Array(repeating: 7, count: 32)

    private static let refused: [(what: String, packed: [UInt8])] = [
        ("a word where none was sent", [1, 9, 1]),
        ("a word beyond the last", [0, 0] + word + [0, 2]),
        ("a word beyond all that may be remembered", [0, 0] + word + [0, 0x81, 0x04]),
        ("a new word that ends too early", [0, 0] + Array(word.dropLast())),
        ("bytes that end too early", [5, 1, 2]),
        ("a number in a longer form", [0x81, 0x00, 9]),
        ("more bytes than a frame holds", [0x81, 0x80, 0x01] + Array(repeating: 0, count: 200)),
    ]

    @Test(arguments: refused)
    func `is refused`(what: String, packed: [UInt8]) throws {
        var test = try FrameTests()
        #expect(throws: ChannelError.badPacking, "\(what)") { try test.receive(0x04, packed) }
        #expect(throws: (any Error).self) { try test.receive(0x00, [1]) }
    }

    @Test func `a message that grows beyond a frame is refused before it has grown`() throws {
        var unpacker = MessageUnpacker()
        let most = SecureChannel.chunk / 32
        let packed = { (count: Int) in
            [0, 0] + Self.word + Array(repeating: [0, 1] as [UInt8], count: count - 1).joined()
        }
        #expect(try unpacker.unpack(packed(most)[...]).count == SecureChannel.chunk)
        #expect(throws: ChannelError.badPacking) { try unpacker.unpack(packed(most + 1)[...]) }
    }

    @Test func `only the last 512 words are remembered`() throws {
        var unpacker = MessageUnpacker()
        for number in 0..<600 {
            let word = Digest.hash("test", Array("\(number)".utf8)).bytes
            #expect(try unpacker.unpack(([0, 0] + word)[...]) == word)
        }
        // Eighty-eight have made room for later ones: the first place has the word 512, the eighty-ninth is the oldest
        // that is left.
        #expect(try unpacker.unpack([0, 1]) == Digest.hash("test", Array("512".utf8)).bytes)
        #expect(try unpacker.unpack([0, 89]) == Digest.hash("test", Array("88".utf8)).bytes)
    }

    @Test func `a packed message does not come within another live one, but within a bulk one`() throws {
        var test = try FrameTests()
        #expect(try test.receive(0x11, [1]).isEmpty)
        #expect(try test.receive(0x04, [2, 5, 6]) == [.message([5, 6])])
        #expect(try test.receive(0x01, [1]).isEmpty)
        #expect(throws: ChannelError.badFrame) { try test.receive(0x04, [2, 5, 6]) }
    }

    // MARK: - Another implementation

    private struct Vectors: Decodable {
        struct Entry: Decodable {
            let message: Hexadecimal
            let packed: Hexadecimal
        }
        let messages: [Entry]
    }

    @Test func `what another implementation packed comes out as it went in`() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/packing-vectors.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url))
        #expect(vectors.messages.count > 5)
        var unpacker = MessageUnpacker()
        var packer = MessagePacker()
        for entry in vectors.messages {
            #expect(try unpacker.unpack(entry.packed.bytes[...]) == entry.message.bytes)
            _ = try PeerMessage(decoding: entry.message.bytes)
            _ = packer.pack(entry.message.bytes)
        }
        let words = vectors.messages.map { MessageWords.words(in: $0.message.bytes)?.count ?? 0 }
        #expect(words.allSatisfy { $0 >= 3 }, "all of them are of kinds that name words: \(words)")
    }
}
