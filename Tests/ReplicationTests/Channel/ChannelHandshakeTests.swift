import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

@Suite("Opening a channel")
struct ChannelHandshakeTests {
    private static let start = Instant(sinceStart: .zero)

    @Test
    func `both sides learn who the other is and share the transcript`() throws {
        var pair = ChannelPair()
        #expect(!pair.alice.isOpen && !pair.bob.isOpen)
        let seen = try pair.shakeHands()
        guard case .established(let bob, let transcript)? = seen.alice.first,
            case .established(let alice, let other)? = seen.bob.first
        else {
            Issue.record("the channel is not open")
            return
        }
        #expect(seen.alice.count == 1 && seen.bob.count == 1)
        #expect(bob.device.id == pair.bobAsMember.device && bob.record == pair.bobAsMember.record)
        #expect(alice.device.id == pair.aliceAsMember.device && alice.record == pair.aliceAsMember.record)
        #expect(transcript == other)
        #expect(pair.alice.isOpen && pair.bob.isOpen)
    }

    @Test
    func `the responder says nothing first`() throws {
        var pair = ChannelPair()
        #expect(try pair.bob.start().isEmpty)
    }

    @Test
    func `a device other than the one dialed is refused before we tell who we are`() throws {
        var random = SplitMix64(seed: 1)
        let (alice, bob, carol) = (Member(using: &random), Member(using: &random), Member(using: &random))
        var dialing = alice.channel(.initiator, expecting: bob.device, using: &random)
        var answering = carol.channel(.responder, using: &random)
        let second = try answering.receive(dialing.start(), at: Self.start).reply
        #expect(throws: ChannelError.wrongDevice(carol.device)) { try dialing.receive(second, at: Self.start) }
        #expect(dialing.isOpen == false)
    }

    @Test
    func `a device that is connected already learns nothing of us when it answers a dial`() throws {
        var pair = ChannelPair()
        let (first, bob, now) = (try pair.alice.start(), pair.bobAsMember.device, pair.now)
        let second = try pair.bob.receive(first, at: now) { _ in true }
        #expect(second.reply.isEmpty == false, "whoever was dialed does not know yet who dials")
        #expect(throws: ChannelError.alreadyConnected(bob)) {
            try pair.alice.receive(second.reply, at: now) { $0.device.id == bob }
        }
        #expect(pair.alice.isOpen == false && pair.bob.isOpen == false)
    }

    @Test
    func `whoever reaches themselves notices`() throws {
        var random = SplitMix64(seed: 1)
        let alice = Member(using: &random)
        var dialing = alice.channel(.initiator, using: &random)
        var answering = alice.channel(.responder, using: &random)
        let second = try answering.receive(dialing.start(), at: Self.start).reply
        #expect(throws: ChannelError.ourselves) { try dialing.receive(second, at: Self.start) }
    }

    @Test
    func `another version of the protocol cannot begin`() throws {
        var random = SplitMix64(seed: 1)
        let (alice, bob) = (Member(using: &random), Member(using: &random))
        var dialing = alice.channel(.initiator, using: &random)
        var answering = HandshakeState(
            role: .responder, staticKey: bob.channelKey, ephemeralKey: .generate(using: &random),
            prologue: Array("moot/2".utf8))
        _ = try answering.read(Array(dialing.start().dropFirst(2)))
        let second = Stranger.framed(try answering.write { _ in [] })
        #expect(throws: ChannelError.badHandshake) { try dialing.receive(second, at: Self.start) }
    }

    /// Alice and Bob shake hands while someone in the middle changes one byte; returns who noticed what.
    private static func shakeHands(changing attacked: Int, at index: Int) -> (step: Int, error: ChannelError)? {
        var pair = ChannelPair()
        var message: [UInt8] = []
        var step = 0
        do throws(ChannelError) {
            message = try pair.alice.start()
            for next in 1...3 {
                step = next
                if next == attacked { message[index] ^= 0x20 }
                message =
                    next % 2 == 1
                    ? try pair.bob.receive(message, at: start).reply : try pair.alice.receive(message, at: start).reply
            }
            // A length that grew makes the reader wait for more: the connection's end or the deadline is the end.
            guard !(pair.alice.isOpen && pair.bob.isOpen) else { return nil }
            step = 4
            if !pair.alice.isOpen { try pair.alice.finish() } else { try pair.bob.finish() }
        } catch {
            return (step, error)
        }
        return nil
    }

    @Test(arguments: 1...3)
    func `a change of any byte of a handshake message is noticed`(attacked: Int) throws {
        var whole = ChannelPair()
        let first = try whole.alice.start()
        let second = try whole.bob.receive(first, at: Self.start).reply
        let third = try whole.alice.receive(second, at: Self.start).reply
        let message = [first, second, third][attacked - 1]
        for index in message.indices {
            let noticed = Self.shakeHands(changing: attacked, at: index)
            guard let noticed else {
                Issue.record("byte \(index) was changed and nobody noticed")
                continue
            }
            switch noticed.error {
            case .badHandshake:
                // Only a changed key of the first message passes its reader, and then not the reader of the answer.
                #expect(noticed.step == (attacked == 1 ? 2 : attacked))
            case .badLength, .truncated:
                #expect(index < 2)
            default:
                Issue.record("byte \(index): \(noticed.error)")
            }
        }
    }

    @Test(arguments: [0, 1, 31, 2_300, 65_535])
    func `a length that no handshake message has is refused at once`(length: Int) {
        var pair = ChannelPair()
        let bytes = [UInt8(length >> 8), UInt8(length & 0xFF)]
        #expect(throws: ChannelError.badLength(length)) { try pair.bob.receive(bytes, at: Self.start) }
    }

    @Test
    func `a first message that says more than its key is refused`() throws {
        var random = SplitMix64(seed: 1)
        let (alice, bob) = (Member(using: &random), Member(using: &random))
        var channel = bob.channel(.responder, using: &random)
        #expect(throws: ChannelError.badHandshake) {
            _ = try Stranger(dialing: &channel, as: alice, first: [1], using: &random) { _, _ in [] }
        }
    }

    @Test
    func `a first message said twice is no third message`() throws {
        var pair = ChannelPair()
        let first = try pair.alice.start()
        _ = try pair.bob.receive(first, at: Self.start)
        #expect(throws: ChannelError.self) { try pair.bob.receive(first, at: Self.start) }
    }

    @Test
    func `whoever answers before they are asked is refused`() {
        var pair = ChannelPair()
        let bytes = Stranger.framed([UInt8](repeating: 7, count: 96))
        #expect(throws: ChannelError.badHandshake) { try pair.alice.receive(bytes, at: Self.start) }
    }

    @Test
    func `an ephemeral key of small order is refused`() {
        var pair = ChannelPair()
        let bytes = Stranger.framed([UInt8](repeating: 0, count: 32))
        #expect(throws: ChannelError.badHandshake) { try pair.bob.receive(bytes, at: Self.start) }
    }

    @Test
    func `a connection that ends during the handshake is cut off`() throws {
        var pair = ChannelPair()
        #expect(throws: ChannelError.truncated) { try pair.bob.finish() }
        _ = try pair.bob.receive(pair.alice.start(), at: Self.start)
        #expect(throws: ChannelError.truncated) { try pair.bob.finish() }
    }

    @Test
    func `an error is final: nothing is sent or taken in any more`() throws {
        var pair = try ChannelPair.open()
        pair.bob.enqueue([1], urgency: .live)
        #expect(throws: ChannelError.badLength(0)) { try pair.bob.receive([0, 0], at: Self.start) }
        #expect(pair.bob.isOpen == false)
        #expect(pair.bob.queuedBytes == 0)
        #expect(try pair.bob.nextFrames(upTo: .max, at: Self.start).isEmpty)
        let honest = try pair.sealed([1, 2, 3])
        #expect(throws: ChannelError.badLength(0)) { try pair.bob.receive(honest, at: Self.start) }
        #expect(throws: ChannelError.badLength(0)) { try pair.bob.finish() }
    }
}
