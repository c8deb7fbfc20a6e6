import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Time

/// Two ends of a connection between Alice, who dialed, and Bob.
struct ChannelPair: ~Copyable {
    let aliceAsMember: Member
    let bobAsMember: Member
    var alice: SecureChannel
    var bob: SecureChannel
    /// The time at both ends.
    var now = Instant(sinceStart: .zero)

    /// Two ends that have exchanged nothing yet. With one seed they are the same each time.
    init(seed: UInt64 = 1) {
        var random = SplitMix64(seed: seed)
        aliceAsMember = Member(using: &random)
        bobAsMember = Member(using: &random)
        alice = aliceAsMember.channel(.initiator, expecting: bobAsMember.device, using: &random)
        bob = bobAsMember.channel(.responder, using: &random)
    }

    /// Two ends of an open channel.
    static func open(seed: UInt64 = 1) throws -> ChannelPair {
        var pair = ChannelPair(seed: seed)
        _ = try pair.shakeHands()
        return pair
    }

    /// Exchanges the three messages; returns what both sides saw.
    mutating func shakeHands() throws(ChannelError) -> (alice: [SecureChannel.Event], bob: [SecureChannel.Event]) {
        let second = try bob.receive(alice.start(), at: now)
        let third = try alice.receive(second.reply, at: now)
        let end = try bob.receive(third.reply, at: now)
        return (third.events, second.events + end.events)
    }

    /// Everything that waits at Alice's end, sealed.
    mutating func sealed(_ message: [UInt8], urgency: SecureChannel.Urgency = .live) throws(ChannelError) -> [UInt8] {
        alice.enqueue(message, urgency: urgency)
        return try alice.nextFrames(upTo: .max, at: now)
    }
}
