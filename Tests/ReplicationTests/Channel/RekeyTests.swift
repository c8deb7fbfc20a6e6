import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

@Suite("Changing keys")
struct RekeyTests: ~Copyable {
    private static func moment(_ time: Duration) -> Instant { Instant(sinceStart: time) }

    private var bob: SecureChannel
    private var carol: Stranger

    init() throws {
        var random = SplitMix64(seed: 1)
        let (bobAsMember, carolAsMember) = (Member(using: &random), Member(using: &random))
        bob = bobAsMember.channel(.responder, using: &random)
        carol = try Stranger(dialing: &bob, as: carolAsMember, using: &random)
    }

    private mutating func send(_ message: [UInt8], at time: Duration) throws -> [UInt8] {
        bob.enqueue(message, urgency: .live)
        return try bob.nextFrames(upTo: .max, at: Self.moment(time))
    }

    @Test
    mutating func `a key serves an hour, and the next frame announces its end`() throws {
        let before = try send([1], at: SecureChannel.keyLifetime - .nanoseconds(1))
        #expect(try carol.opened(before) == [[0, 1]])
        let frames = try send([2], at: SecureChannel.keyLifetime)
        let announcement = Array(frames.prefix(19))
        #expect(try carol.opened(announcement) == [[2]])
        carol.rekeyReceiving()
        #expect(try carol.opened(Array(frames.dropFirst(19))) == [[0, 2]])
        // The next hour begins now.
        #expect(try carol.opened(send([3], at: SecureChannel.keyLifetime * 2 - .nanoseconds(1))) == [[0, 3]])
        #expect(try carol.opened(Array(send([4], at: SecureChannel.keyLifetime * 2).prefix(19))) == [[2]])
    }

    @Test
    mutating func `nothing is announced while nothing is sent`() throws {
        #expect(try bob.nextFrames(upTo: .max, at: Self.moment(SecureChannel.keyLifetime * 10)).isEmpty)
    }

    @Test
    mutating func `a key serves 1,048,576 frames, and the next one announces its end`() throws {
        let round = 1 << 12
        for _ in 0..<SecureChannel.framesPerKey / round {
            for _ in 0..<round { bob.enqueue([], urgency: .live) }
            let frames = try bob.nextFrames(upTo: .max, at: Self.moment(.zero))
            #expect(frames.count == 19 * round)
            try carol.skip(frames, count: round)
        }
        let frames = try send([1], at: .zero)
        #expect(try carol.opened(Array(frames.prefix(19))) == [[2]])
        carol.rekeyReceiving()
        #expect(try carol.opened(Array(frames.dropFirst(19))) == [[0, 1]])
        #expect(try carol.opened(send([2], at: .zero)) == [[0, 2]])
    }

    @Test
    func `two ends that talk for days follow each other`() throws {
        var pair = try ChannelPair.open()
        for hour in 0..<50 {
            pair.now = Self.moment(.seconds(1_300 * hour))
            let message = [UInt8(hour)]
            #expect(try pair.bob.receive(pair.sealed(message), at: pair.now).events == [.message(message)])
            pair.bob.enqueue(message, urgency: .bulk)
            let answer = try pair.bob.nextFrames(upTo: .max, at: pair.now)
            #expect(try pair.alice.receive(answer, at: pair.now).events == [.message(message)])
        }
    }
}
