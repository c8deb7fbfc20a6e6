import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication

@Suite("What somebody who was removed still writes")
struct OutsiderTests {
    private var fixture: StrangerGroupFixture
    private var random = SplitMix64(seed: 21)

    init() throws {
        fixture = try StrangerGroupFixture()
        try fixture.addAlice()
    }

    private mutating func epoch(for view: View) throws -> ConversationLog.Draft {
        let key = EpochKey.generate(using: &random)
        let wraps = try view.readers.map { try SealedBox.seal(key.secret, to: $0.wrapKey, using: &random) }
        return ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
            EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
        }
    }

    @Test mutating func `gives no key to those who stay, whoever brings it`() throws {
        let carol = fixture.carol.user
        try fixture.decide(fixture.bob) { .remove(under: $0, target: carol, pins: []) }
        fixture.tell()
        let view = try fixture.view()
        #expect(!view.contains(fixture.carol.device))
        let forged = try fixture.write(content: [try epoch(for: view)], by: fixture.carol)
        _ = fixture.alice.takeEffects()
        for peer in [fixture.connect(to: fixture.carol), fixture.connect(to: fixture.bob)] {
            fixture.tell(content: forged, from: peer)
        }
        #expect(try fixture.replica.contentCount == 0)
        #expect(try fixture.replica.epochs.usable(for: view.id) == nil)
        let isToldOf = fixture.alice.takeEffects().contains { effect in
            if case .note(.operationIgnored(_, .notAMember)) = effect { true } else { false }
        }
        #expect(isToldOf)
        // And what Alice says is under a key of their own.
        _ = try fixture.alice.send(["hello"], to: fixture.log.conversation, at: StrangerGroupFixture.moment)
        let said = try #require(try fixture.replica.epochs.all.values.first)
        #expect(try fixture.replica.epochs.all.count == 1)
        #expect(said.header.device == fixture.alice.device.id)
    }

    @Test mutating func `under heads from before is shown with a mark, and does not notify`() throws {
        var apart = fixture.log
        let carol = fixture.carol.user
        try fixture.decide(fixture.bob) { .remove(under: $0, target: carol, pins: []) }
        fixture.tell()
        let written = try apart.write(
            content: [.init(type: .message, body: [1])], by: fixture.carol.author, at: StrangerGroupFixture.moment.wall
        ).map(\.operation)
        fixture.tell(content: written)
        #expect(try fixture.replica.contentCount == 1)
        let opened = try fixture.alice.open(written, in: fixture.log.conversation)
        #expect(opened[try #require(written.first).id]?.cutOff != nil)
    }
}
