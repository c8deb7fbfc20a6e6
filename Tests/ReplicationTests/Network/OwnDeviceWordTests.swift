import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// Alice has another device, which somebody else holds.
@Suite("A device of the user that says much")
struct OwnDeviceWordTests {
    private static let peer = PeerHandle(rawValue: 1)

    private var replicator: Replicator
    private let conversation: ConversationID
    private let now = Instant(sinceStart: .zero)

    init() {
        var random = SplitMix64(seed: 1)
        let alice = Person(using: &random)
        let other = Person(root: alice.root, using: &random)
        conversation = ConversationID(directBetween: alice.user, and: Person(using: &random).user)
        let transcript = random.bytes(64)
        replicator = Replicator(device: alice.author.device, replicaEpoch: random.bytes(16), introduction: [])
        let record = IdentityRecord(
            root: alice.root, serial: 1, devices: [.init(device: other.author.device, name: "")])
        let identity = PeerIdentity(device: other.author.device, record: record)
        let events: [Replicator.Event] = [
            .opened(conversation, .group, membership: Frontier(), content: Frontier()),
            .audienceChanged(conversation, [alice.user: .member]),
            .connected(Self.peer, identity, transcript: transcript, role: .responder),
        ]
        for event in events { _ = replicator.handle(event, at: now) }
        _ = hear(.sharing(.tags([ConversationTag(conversation, transcript: transcript, role: .initiator)])), at: now)
    }

    private mutating func hear(_ message: PeerMessage, at moment: Instant) -> [OwnMessage] {
        replicator.handle(.received(Self.peer, ReceivedMessage(decoding: message.encoded)), at: moment).compactMap {
            if case .heardOf(_, _, .own(let word), _) = $0 { word } else { nil }
        }
    }

    @Test mutating func `is heard as far as its budget goes, and is no offender`() {
        let words: [OwnMessage] = [.keysWanted([]), .keys([]), .readMarks([]), .opened, .retention(days: 7)]
        let messages = words.map { PeerMessage.conversation(.init(slot: 0, lane: .content), .own($0)) }
        for word in 0..<(1 << 13) { #expect(hear(messages[word % words.count], at: now).count == 1) }
        for message in messages { #expect(hear(message, at: now).isEmpty) }
        #expect(hear(messages[0], at: now + .seconds(1)) == [words[0]])
    }

    @Test mutating func `is heard of private state in so many messages as answers take, however little each has`() {
        let piece = PrivateEntry(of: PrivateSubject(.conversation, of: conversation), state: [])
        let message = PeerMessage.privateState(.states([piece])).encoded
        func isHeard(at moment: Instant) -> Bool {
            replicator.handle(.received(Self.peer, ReceivedMessage(decoding: message)), at: moment).contains {
                if case .heard(.privateState, _, _) = $0 { true } else { false }
            }
        }
        for _ in 0..<128 { #expect(isHeard(at: now)) }
        #expect(!isHeard(at: now))
        #expect(isHeard(at: now + .seconds(1)))
    }
}
