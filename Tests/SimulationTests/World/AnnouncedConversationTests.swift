import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// What Alice's node says when somebody tells it of a conversation.
@Suite("Conversations that a peer announces")
struct AnnouncedConversationTests {
    /// Bob counts tags as they come. A status that overtakes its tag is about nothing that they know, and is not
    /// repeated.
    @Test func `are named by their tag before anything is said about them`() throws {
        var fixture = try StrangerGroupFixture()
        let bob = fixture.bob
        let conversation = ConversationID(directBetween: bob.user, and: fixture.alice.me)
        let transcript = Array(repeating: 7 as UInt8, count: 64)
        let handle = fixture.alice.begin(
            to: nil, at: Endpoint(host: "192.0.2.8", port: 1), moment: StrangerGroupFixture.moment)
        let identity = PeerIdentity(device: bob.author.device, record: bob.credentials.identity)
        fixture.alice.handle(
            .established(identity, transcript: transcript, on: handle), at: StrangerGroupFixture.moment)
        let tag = ConversationTag(conversation, transcript: transcript, role: .initiator)
        fixture.alice.handle(
            .received(ReceivedMessage(decoding: PeerMessage.sharing(.tags([tag])).encoded), on: handle),
            at: StrangerGroupFixture.moment)
        _ = fixture.alice.takeEffects()

        let root = ConversationRoot.direct(bob.user, fixture.alice.me)
        fixture.alice.handle(
            .received(
                ReceivedMessage(decoding: PeerMessage.sharing(.announce(conversation, root)).encoded), on: handle),
            at: StrangerGroupFixture.moment)
        #expect(said(by: &fixture.alice, to: handle) == ["tags", "status", "status"])
    }

    /// The tags and statuses that a node sends, in order.
    private func said(by core: inout NodeCore, to handle: PeerHandle) -> [String] {
        core.takeEffects().compactMap { effect in
            guard case .send(handle, let bytes, _) = effect, let message = try? PeerMessage(decoding: bytes) else {
                return nil
            }
            return switch message {
            case .sharing(.tags): "tags"
            case .lane(_, .status): "status"
            case .statuses: "statuses"
            default: nil
            }
        }
    }
}
