import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

/// Carol, a stranger who has shaken hands, sends Bob frames that are sealed well and make no sense.
@Suite("Frames that no honest node sends")
struct FrameTests: ~Copyable {
    private static let start = Instant(sinceStart: .zero)
    private var bob: SecureChannel
    private var carol: Stranger

    init() throws {
        var random = SplitMix64(seed: 1)
        let (bobAsMember, carolAsMember) = (Member(using: &random), Member(using: &random))
        bob = bobAsMember.channel(.responder, using: &random)
        carol = try Stranger(dialing: &bob, as: carolAsMember, using: &random)
    }

    /// What a frame of Carol's brings about at Bob's end.
    mutating func receive(_ kind: UInt8, _ chunk: [UInt8]) throws -> [SecureChannel.Event] {
        try bob.receive(carol.frame(kind: kind, chunk), at: Self.start).events
    }

    @Test
    func `unknown kinds are refused`() throws {
        for kind in 0...255 as ClosedRange<UInt8> where ![0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x11].contains(kind) {
            var fresh = try FrameTests()
            let frame = try fresh.carol.frame(kind: kind, [1])
            #expect(throws: ChannelError.badFrame) { try fresh.bob.receive(frame, at: Self.start) }
        }
    }

    @Test(arguments: [0x02, 0x03] as [UInt8])
    mutating func `a rekey or a close says nothing else`(kind: UInt8) throws {
        let frame = try carol.frame(kind: kind, [1])
        #expect(throws: ChannelError.badFrame) { try bob.receive(frame, at: Self.start) }
    }

    @Test(arguments: [0x01, 0x11] as [UInt8])
    mutating func `a chunk that goes on has something in it`(kind: UInt8) throws {
        let frame = try carol.frame(kind: kind)
        #expect(throws: ChannelError.badFrame) { try bob.receive(frame, at: Self.start) }
    }

    @Test(arguments: [0x01, 0x11] as [UInt8])
    mutating func `a message that does not end is refused at its limit`(kind: UInt8) throws {
        let chunk = [UInt8](repeating: 0, count: SecureChannel.chunk)
        for _ in 0..<SecureChannel.maximumMessageBytes / SecureChannel.chunk {
            #expect(try bob.receive(carol.frame(kind: kind, chunk), at: Self.start).events.isEmpty)
        }
        let beyond = try carol.frame(kind: kind & 0x10, [0])
        #expect(throws: ChannelError.messageTooLarge) { try bob.receive(beyond, at: Self.start) }
    }

    @Test
    mutating func `a live and a bulk message may be under way at once`() throws {
        var frames: [UInt8] = []
        for (kind, chunk) in [(0x11, [1]), (0x01, [2]), (0x11, [3]), (0x00, [4]), (0x10, [5])] as [(UInt8, [UInt8])] {
            frames += try carol.frame(kind: kind, chunk)
        }
        #expect(try bob.receive(frames, at: Self.start).events == [.message([2, 4]), .message([1, 3, 5])])
    }

    @Test
    mutating func `a message may go on across a rekey`() throws {
        var frames = try carol.frame(kind: 0x11, [1]) + carol.frame(kind: 0x02)
        carol.rekeySending()
        frames += try carol.frame(kind: 0x10, [2])
        #expect(try bob.receive(frames, at: Self.start).events == [.message([1, 2])])
    }

    @Test
    mutating func `the old key is of no use after a rekey`() throws {
        let rekey = try carol.frame(kind: 0x02)
        _ = try bob.receive(rekey, at: Self.start)
        let frame = try carol.frame(kind: 0x00, [1])
        #expect(throws: ChannelError.badFrame) { try bob.receive(frame, at: Self.start) }
    }
}
