import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// What Alice's node does about a question that its disk does not let it answer.
@Suite("Answers that cannot be read")
struct UnreadAnswerTests {
    /// Dave does not know that they are a member. So they ask as somebody who hears of the group for the first time:
    /// once.
    @Test func `are made up for once the disk is well again`() throws {
        var fixture = try StrangerGroupFixture()
        try fixture.addAlice()
        let dave = fixture.dave
        try fixture.decide(fixture.bob) { .add(under: $0, targets: [dave.credentials]) }
        fixture.tell()
        let disk = try #require(fixture.alice.storage as? VirtualDisk)
        let conversation = fixture.log.conversation
        let transcript = Array(repeating: 7 as UInt8, count: 64)
        let handle = fixture.alice.begin(
            to: nil, at: Endpoint(host: "192.0.2.8", port: 1), moment: StrangerGroupFixture.moment)
        let identity = PeerIdentity(device: dave.author.device, record: dave.credentials.identity)
        fixture.alice.handle(
            .established(identity, transcript: transcript, on: handle), at: StrangerGroupFixture.moment)
        let tag = ConversationTag(conversation, transcript: transcript, role: .initiator)
        fixture.alice.handle(
            .received(ReceivedMessage(decoding: PeerMessage.sharing(.tags([tag])).encoded), on: handle),
            at: StrangerGroupFixture.moment)
        _ = fixture.alice.takeEffects()

        disk.condition = .broken
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .membership)
        let question = PeerMessage.lane(slot, .want([fixture.bob.device: .through(0)]))
        fixture.alice.handle(
            .received(ReceivedMessage(decoding: question.encoded), on: handle), at: StrangerGroupFixture.moment)
        #expect(said(by: &fixture.alice, to: handle) == ["done"])

        disk.condition = .healthy
        let later = Moment(
            monotonic: StrangerGroupFixture.moment.monotonic + Replicator.storageBackoff,
            wall: Timestamp(clamping: StrangerGroupFixture.moment.wall.milliseconds + 5_000))
        fixture.alice.handle(
            .received(ReceivedMessage(decoding: PeerMessage.presence(.pong(0)).encoded), on: handle), at: later)
        fixture.alice.handle(.tick, at: later)
        #expect(said(by: &fixture.alice, to: handle).contains("frontier"))
        fixture.alice.handle(.received(ReceivedMessage(decoding: question.encoded), on: handle), at: later)
        #expect(said(by: &fixture.alice, to: handle).contains("batch"))
    }

    /// The messages about the membership lane that a node sends.
    private func said(by core: inout NodeCore, to handle: PeerHandle) -> [String] {
        core.takeEffects().compactMap { effect in
            guard case .send(handle, let bytes, _) = effect, let message = try? PeerMessage(decoding: bytes) else {
                return nil
            }
            return switch message {
            case .lane(_, .done): "done"
            case .lane(_, .batch): "batch"
            case .lane(let slot, .frontier) where slot.lane == .membership: "frontier"
            default: nil
            }
        }
    }
}
