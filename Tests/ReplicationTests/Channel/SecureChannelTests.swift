import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

@Suite("Talking through a channel")
struct SecureChannelTests {
    private static let start = Instant(sinceStart: .zero)

    private static func text(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 100_000, SecureChannel.maximumMessageBytes])
    func `a message of any size arrives whole`(count: Int) throws {
        var pair = try ChannelPair.open()
        let message = Self.text(count)
        for urgency in [SecureChannel.Urgency.live, .bulk] {
            let frames = try pair.sealed(message, urgency: urgency)
            let (reply, events) = try pair.bob.receive(frames, at: Self.start)
            #expect(reply.isEmpty)
            #expect(events == [.message(message)])
            #expect(pair.alice.queuedBytes == 0)
        }
    }

    @Test
    func `a message costs 19 bytes more on the wire`() throws {
        var pair = try ChannelPair.open()
        #expect(try pair.sealed(Self.text(200)).count == 219)
    }

    /// Random messages of both urgencies, sealed and delivered in random pieces.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `how the bytes are cut makes no difference`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var pair = try ChannelPair.open(seed: seed)
        var sent: [SecureChannel.Urgency: [[UInt8]]] = [:]
        var onTheWire: [UInt8] = []
        for index in 0..<20 {
            let urgency: SecureChannel.Urgency = Bool.random(using: &random) ? .live : .bulk
            // The first byte tells the urgency, so that the order within each can be checked.
            let count = Int.random(in: 0...40_000, using: &random)
            let message = [urgency == .live ? 0 : 1, UInt8(index)] + random.bytes(count)
            sent[urgency, default: []].append(message)
            pair.alice.enqueue(message, urgency: urgency)
            if Bool.random(using: &random) {
                onTheWire += try pair.alice.nextFrames(upTo: Int.random(in: 1...50_000, using: &random), at: Self.start)
            }
        }
        onTheWire += try pair.alice.nextFrames(upTo: .max, at: Self.start)
        var received: [SecureChannel.Urgency: [[UInt8]]] = [:]
        var rest = onTheWire[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...Int.random(in: 1...60_000, using: &random), using: &random))
            rest = rest.dropFirst(piece.count)
            for event in try pair.bob.receive(Array(piece), at: Self.start).events {
                guard case .message(let message) = event else {
                    Issue.record("\(event)")
                    continue
                }
                received[message[0] == 0 ? .live : .bulk, default: []].append(message)
            }
        }
        #expect(received == sent)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a handshake and the messages behind it may arrive byte by byte or all at once`(seed: UInt64) throws {
        var pair = ChannelPair(seed: seed)
        for byte in try pair.alice.start() {
            let second = try pair.bob.receive([byte], at: Self.start).reply
            guard !second.isEmpty else { continue }
            let third = try pair.alice.receive(second, at: Self.start).reply
            let together = try third + pair.sealed([1, 2, 3])
            let events = try pair.bob.receive(together, at: Self.start).events
            #expect(events.count == 2)
            #expect(events.last == .message([1, 2, 3]))
        }
        #expect(pair.bob.isOpen == true)
    }

    @Test
    func `a live message overtakes a bulk message in the middle, and both arrive whole`() throws {
        var pair = try ChannelPair.open()
        let bulk = Self.text(100_000)
        pair.alice.enqueue(bulk, urgency: .bulk)
        var frames = try pair.alice.nextFrames(upTo: 1, at: Self.start)
        #expect(frames.count == 2 + 1 + SecureChannel.chunk + CipherState.tagByteCount)
        pair.alice.enqueue([7], urgency: .live)
        frames += try pair.alice.nextFrames(upTo: 1, at: Self.start)
        frames += try pair.alice.nextFrames(upTo: .max, at: Self.start)
        #expect(try pair.bob.receive(frames, at: Self.start).events == [.message([7]), .message(bulk)])
    }

    @Test
    func `what waits is counted, and only about as much is sealed as asked for`() throws {
        var pair = try ChannelPair.open()
        pair.alice.enqueue(Self.text(100_000), urgency: .bulk)
        pair.alice.enqueue(Self.text(50), urgency: .live)
        #expect(pair.alice.queuedBytes == 100_050 + 2 * SecureChannel.messageOverhead)
        #expect(pair.alice.queuedLiveBytes == 50 + SecureChannel.messageOverhead)
        let frames = try pair.alice.nextFrames(upTo: 20_000, at: Self.start)
        #expect(frames.count >= 20_000 && frames.count < 20_000 + SecureChannel.chunk + 19)
        #expect(pair.alice.queuedBytes < 100_050 + SecureChannel.messageOverhead - 20_000 + 3 * 19)
        #expect(pair.alice.queuedLiveBytes == 0)
        #expect(try pair.alice.nextFrames(upTo: 0, at: Self.start).isEmpty)
    }

    @Test
    func `a change of any byte of a frame is noticed`() throws {
        var fresh = try ChannelPair.open()
        let frame = try fresh.sealed(Self.text(40))
        for index in frame.indices {
            var pair = try ChannelPair.open()
            var changed = frame
            changed[index] ^= 1
            do {
                let events = try pair.bob.receive(changed, at: Self.start).events
                // A length that grew by one: the frame is still awaited when the connection ends.
                #expect(index < 2 && events.isEmpty)
                #expect(throws: ChannelError.truncated) { try pair.bob.finish() }
            } catch ChannelError.badFrame {
                #expect(index >= 1)
            } catch ChannelError.badLength {
                #expect(index < 2)
            }
        }
    }

    @Test
    func `a frame that is repeated, left out, swapped or thrown back is noticed`() throws {
        var fresh = try ChannelPair.open()
        let (first, second) = try (fresh.sealed([1]), fresh.sealed([2]))
        for wrong in [first + first, second, second + first, first + second + second] {
            var pair = try ChannelPair.open()
            #expect(throws: ChannelError.badFrame) { try pair.bob.receive(wrong, at: Self.start) }
        }
        #expect(throws: ChannelError.badFrame) { try fresh.alice.receive(first, at: Self.start) }
        #expect(try fresh.bob.receive(first + second, at: Self.start).events == [.message([1]), .message([2])])
    }

    @Test
    func `a frame of one connection is no use in another between the same devices`() throws {
        var one = ChannelPair(seed: 1)
        _ = try one.shakeHands()
        var random = SplitMix64(seed: 99)
        var alice = one.aliceAsMember.channel(.initiator, using: &random)
        var bob = one.bobAsMember.channel(.responder, using: &random)
        let second = try bob.receive(alice.start(), at: Self.start).reply
        _ = try bob.receive(alice.receive(second, at: Self.start).reply, at: Self.start)
        let frame = try one.sealed([1])
        #expect(throws: ChannelError.badFrame) { try bob.receive(frame, at: Self.start) }
    }

    @Test(arguments: [0, 1, 16, 16_402, 65_535])
    func `a length that no frame has is refused before anything waits for it`(length: Int) throws {
        var pair = try ChannelPair.open()
        let bytes = [UInt8(length >> 8), UInt8(length & 0xFF)]
        #expect(throws: ChannelError.badLength(length)) { try pair.bob.receive(bytes, at: Self.start) }
    }

    @Test
    func `a close is told from a connection that was cut`() throws {
        var pair = try ChannelPair.open()
        let frames = try pair.sealed([1]) + pair.alice.close()
        #expect(throws: ChannelError.truncated) { try pair.bob.finish() }
        #expect(try pair.bob.receive(frames, at: Self.start).events == [.message([1]), .closed])
        #expect(throws: Never.self) { try pair.bob.finish() }
        #expect(throws: Never.self) { try pair.alice.finish() }
        #expect(!pair.bob.isOpen && !pair.alice.isOpen)
    }

    @Test
    func `what stands behind a close cannot take back what stood before it`() throws {
        var pair = try ChannelPair.open()
        let frames = try pair.sealed([1]) + pair.alice.close()
        #expect(try pair.bob.receive(frames + [0, 0, 9], at: Self.start).events == [.message([1]), .closed])
        #expect(throws: ChannelError.closed) { try pair.bob.receive([0, 17], at: Self.start) }
    }

    @Test
    func `closing drops what waits and sends nothing more`() throws {
        var pair = try ChannelPair.open()
        pair.alice.enqueue(Self.text(100), urgency: .live)
        let goodbye = try pair.alice.close()
        #expect(try pair.bob.receive(goodbye, at: Self.start).events == [.closed])
        #expect(try pair.alice.close().isEmpty)
        #expect(try pair.alice.nextFrames(upTo: .max, at: Self.start).isEmpty)
    }

    @Test
    func `both directions are independent`() throws {
        var pair = try ChannelPair.open()
        for round in 0..<5 as Range<UInt8> {
            let forth = try pair.sealed([round])
            pair.bob.enqueue([round, round], urgency: .live)
            let back = try pair.bob.nextFrames(upTo: .max, at: Self.start)
            #expect(try pair.alice.receive(back, at: Self.start).events == [.message([round, round])])
            #expect(try pair.bob.receive(forth, at: Self.start).events == [.message([round])])
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `random bytes end in an error of the channel or in waiting, whatever state they meet`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var pair = ChannelPair(seed: seed)
        if Bool.random(using: &random) { _ = try pair.shakeHands() }
        do throws(ChannelError) {
            for _ in 0..<20 {
                let bytes = random.bytes(Int.random(in: 0...200, using: &random))
                let (reply, events) = try pair.bob.receive(bytes, at: Self.start)
                // A first message may be any 32 bytes; nothing else gets an answer.
                #expect(events.isEmpty && (reply.isEmpty || !pair.bob.isOpen))
            }
        } catch {
            #expect(throws: error) { try pair.bob.finish() }
        }
    }
}
