import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// What Alice's node does about a question that its disk does not let it answer.
@Suite("Answers that cannot be read")
struct UnreadAnswerTests {
    /// Dave does not know that he is a member. So he asks as somebody who hears of the group for the first time: once.
    @Test func `are made up for once the disk is well again`() throws {
        var harbour = try Harbour()
        try harbour.addAlice()
        let dave = harbour.dave
        try harbour.decide(harbour.bob) { .add(under: $0, targets: [dave.credentials]) }
        harbour.tell()
        let disk = try #require(harbour.alice.storage as? VirtualDisk)
        let conversation = harbour.log.conversation
        let transcript = Array(repeating: 7 as UInt8, count: 64)
        let (handle, _) = harbour.alice.begin(
            to: nil, at: Place(host: "192.0.2.8", port: 1), moment: Harbour.moment)
        let identity = PeerIdentity(device: dave.author.device, record: dave.credentials.identity)
        harbour.alice.established(identity, transcript: transcript, on: handle, at: Harbour.moment)
        let tag = ConversationTag(conversation, transcript: transcript, role: .initiator)
        harbour.alice.receive(PeerMessage.tags([tag]).encoded, on: handle, at: Harbour.moment)
        _ = harbour.alice.takeEffects()

        disk.condition = .broken
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .membership)
        let question = PeerMessage.want(slot, [harbour.bob.device: .through(0)])
        harbour.alice.receive(question.encoded, on: handle, at: Harbour.moment)
        #expect(said(by: &harbour.alice, to: handle) == ["done"])

        disk.condition = .healthy
        let later = Moment(
            monotonic: Harbour.moment.monotonic + Replicator.storageRest,
            wall: Timestamp(clamping: Harbour.moment.wall.milliseconds + 5_000))
        harbour.alice.receive(PeerMessage.pong(0).encoded, on: handle, at: later)
        harbour.alice.tick(at: later)
        #expect(said(by: &harbour.alice, to: handle).contains("frontier"))
        harbour.alice.receive(question.encoded, on: handle, at: later)
        #expect(said(by: &harbour.alice, to: handle).contains("batch"))
    }

    /// The messages about the membership lane that a node sends.
    private func said(by core: inout NodeCore, to handle: PeerHandle) -> [String] {
        core.takeEffects().compactMap { effect in
            guard case .send(handle, let bytes, _) = effect, let message = try? PeerMessage(decoding: bytes) else {
                return nil
            }
            return switch message {
            case .done: "done"
            case .batch: "batch"
            case .frontier(let slot, _, _, _) where slot.lane == .membership: "frontier"
            default: nil
            }
        }
    }
}
