import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Replication

@Suite("What somebody who was removed still writes")
struct OutsiderTests {
    private var harbour: Harbour
    private var random = SplitMix64(seed: 21)

    init() throws {
        harbour = try Harbour()
        try harbour.addAlice()
    }

    private mutating func epoch(for view: View) throws -> ConversationLog.Draft {
        let key = EpochKey.generate(using: &random)
        let wraps = try view.readers.map { try SealedBox.seal(key.secret, to: $0.wrapKey, using: &random) }
        return ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
            EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
        }
    }

    @Test mutating func `gives no key to those who stay, whoever brings it`() throws {
        let carol = harbour.carol.user
        try harbour.decide(harbour.bob) { .remove(under: $0, target: carol, pins: []) }
        harbour.tell()
        let view = try harbour.view()
        #expect(!view.contains(harbour.carol.device))
        let forged = try harbour.write(content: [try epoch(for: view)], by: harbour.carol)
        _ = harbour.alice.takeEffects()
        for peer in [harbour.connect(to: harbour.carol), harbour.connect(to: harbour.bob)] {
            harbour.tell(content: forged, from: peer)
        }
        #expect(try harbour.replica.contentCount == 0)
        #expect(try harbour.replica.epochs.usable(for: view.id) == nil)
        let isToldOf = harbour.alice.takeEffects().contains { effect in
            if case .note(.operationIgnored(_, .notAMember)) = effect { true } else { false }
        }
        #expect(isToldOf)
        // And what Alice says is under a key of her own.
        _ = try harbour.alice.send(["hello"], to: harbour.log.conversation, at: Harbour.moment)
        let said = try #require(try harbour.replica.epochs.all.values.first)
        #expect(try harbour.replica.epochs.all.count == 1)
        #expect(said.header.device == harbour.alice.device.id)
    }

    @Test mutating func `under heads from before is shown with a mark, and does not notify`() throws {
        var apart = harbour.log
        let carol = harbour.carol.user
        try harbour.decide(harbour.bob) { .remove(under: $0, target: carol, pins: []) }
        harbour.tell()
        let written = try apart.write(
            content: [.init(type: .message, body: [1])], by: harbour.carol.author, at: Harbour.moment.wall
        ).map(\.operation)
        harbour.tell(content: written)
        #expect(try harbour.replica.contentCount == 1)
        let opened = try harbour.alice.open(written, in: harbour.log.conversation)
        #expect(opened[try #require(written.first).id]?.isCutOff == true)
    }
}
