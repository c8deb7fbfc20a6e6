import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// What Alice's node does about invites by code, her own and those by which she wants to join.
@Suite("Invites by code at a node")
struct CodeTests {
    @Test
    func `what the inviter may not take back any more is tried no more, until he may again`() throws {
        var harbour = try Harbour()
        try harbour.addAlice()
        let (me, conversation, dave) = (harbour.alice.me, harbour.log.conversation, harbour.dave)
        try harbour.decide(harbour.bob) { .promote(under: $0, target: me, tier: .moderator) }
        harbour.tell()
        let made = try harbour.alice.makeCode(for: conversation, lasting: 3_600, at: Harbour.moment)
        #expect(harbour.alice.codeEnds[conversation] == made.code.end)
        try harbour.listen()

        let key = try #require(SigningKey(seed: made.seed))
        let proof = InviteProof(of: made.code.id, to: conversation, for: dave.user, signedWith: key)
        try harbour.write(.join(invite: made.code.id, own: dave.credentials, proof: proof), by: dave)
        try harbour.decide(harbour.bob) { .demote(under: $0, target: me, tier: .member) }
        harbour.tell()
        let code = try #require(try harbour.held.code(made.code.id))
        #expect(code.state == .used(by: dave.user))
        #expect(!code.isTakenBack)
        #expect(harbour.alice.codeEnds[conversation] == nil)

        try harbour.decide(harbour.bob) { .promote(under: $0, target: me, tier: .moderator) }
        harbour.tell()
        #expect(try harbour.held.code(made.code.id)?.isTakenBack == true)
    }

    @Test
    func `one that does not count now is waited for`() throws {
        var harbour = try Harbour()
        let offer = try harbour.makeCode(by: harbour.carol)
        #expect(try !harbour.alice.join(by: offer, at: Harbour.moment))
        let carol = harbour.carol.user
        try harbour.decide(harbour.bob) { .demote(under: $0, target: carol, tier: .member) }
        harbour.tell()
        #expect(try harbour.held.code(offer.invite)?.state == .void)
        #expect(try !harbour.alice.join(by: offer, at: Harbour.moment))
        #expect(harbour.alice.joinings[offer.conversation] != nil)
    }

    @Test(arguments: [true, false])
    func `a member says of a code that it was taken back, and nothing of one that does not count now`(
        isTakenBack: Bool
    ) throws {
        var harbour = try Harbour()
        try harbour.addAlice()
        let offer = try harbour.makeCode(by: harbour.carol)
        let carol = harbour.carol.user
        if isTakenBack {
            try harbour.decide(harbour.carol) { .cancel(under: $0, invite: offer.invite) }
        } else {
            try harbour.decide(harbour.bob) { .demote(under: $0, target: carol, tier: .member) }
        }
        harbour.tell()
        #expect(try harbour.held.code(offer.invite)?.state == (isTakenBack ? .cancelled : .void))

        let dave = harbour.connect(to: harbour.dave)
        let proof = InviteProof(
            of: offer.invite, to: offer.conversation, for: harbour.dave.user, signedWith: offer.key)
        _ = harbour.alice.takeEffects()
        harbour.alice.examine(proof, of: offer.invite, to: offer.conversation, from: dave)
        let answers = harbour.alice.takeEffects().compactMap { effect -> [UInt8]? in
            guard case .send(dave, let bytes, _) = effect else { return nil }
            return bytes
        }
        #expect(answers == (isTakenBack ? [PeerMessage.refusal(offer.invite, .cancelled).encoded] : []))
    }

    @Test
    func `what others than the inviter say of one is told as what it is, and ends nothing`() throws {
        var harbour = try Harbour()
        let offer = try harbour.makeCode(by: harbour.carol)
        #expect(try !harbour.alice.join(by: offer, at: Harbour.moment))
        #expect(harbour.alice.delay(of: offer).message.hasPrefix("Nobody of the group"))
        let stranger = harbour.connect(to: harbour.dave)
        harbour.alice.hear(.used, about: offer.invite, from: stranger)
        let told = harbour.alice.delay(of: offer)
        #expect(told.code == .networkError)
        #expect(told.message.contains("may not know"))
        #expect(told.hint?.contains("goes on trying") == true)
        #expect(try !harbour.alice.join(by: offer, at: Harbour.moment))

        let inviter = harbour.connect(to: harbour.carol)
        harbour.alice.hear(.used, about: offer.invite, from: inviter)
        let error = #expect(throws: NodeError.self) { try harbour.alice.join(by: offer, at: Harbour.moment) }
        #expect(error?.code == .codeUsed)
    }

    @Test
    func `the proof of a join is shown, also after a start, until somebody else is known to hold the join`() throws {
        var harbour = try Harbour()
        let offer = try harbour.makeCode(by: harbour.carol)
        let conversation = offer.conversation
        let user = harbour.alice.me
        #expect(try !harbour.alice.join(by: offer, at: Harbour.moment))
        harbour.tell()
        #expect(try harbour.held.isMember(user))
        #expect(harbour.alice.replicator.presented[conversation]?.invite == offer.invite)

        // The process ends before anybody has the join.
        try harbour.restart()
        #expect(harbour.alice.replicator.presented[conversation]?.invite == offer.invite)
        harbour.tell()
        #expect(harbour.alice.replicator.presented[conversation] != nil)

        try harbour.listen()
        try harbour.decide(harbour.carol) { .cancel(under: $0, invite: offer.invite) }
        harbour.tell()
        #expect(harbour.alice.replicator.presented[conversation] == nil)
        #expect(try harbour.held.isMember(user))
        try harbour.restart()
        #expect(harbour.alice.replicator.presented[conversation] == nil)
    }

    /// Alice is in the group by the join alone, so nobody would admit a merge of hers before it.
    @Test(arguments: [(16, 0), (60, 2)])
    func `a join names the invite, however many heads the lane has, and merges come after it`(
        branches: Int, merges: Int
    ) throws {
        var harbour = try Harbour()
        let before = harbour.log
        let offer = try harbour.makeCode(by: harbour.carol)
        #expect(try !harbour.alice.join(by: offer, at: Harbour.moment))
        for number in 0..<branches {
            var branch = before
            let time = Timestamp(clamping: Harbour.moment.wall.milliseconds + Int64(number))
            _ = try branch.write(membership: [.init(type: .merge, body: [])], by: harbour.bob.author, at: time)
            harbour.tell(branch)
        }
        harbour.tell()
        #expect(try harbour.held.isMember(harbour.alice.me))

        let lane = try harbour.replica.log.membership
        let written = lane.operations.filter { $0.author.user == harbour.alice.me }.map(\.header.type)
        #expect(written == [.join] + Array(repeating: .merge, count: merges))
        var other = ConversationLog(
            conversation: offer.conversation, root: .group, introductions: MembershipBody.introductions(of:))
        let admission = try other.admit(Batch(lane: .membership, operations: lane.operations), using: MemoryIndex())
        guard case .admitted = admission else {
            Issue.record("others do not admit what Alice wrote: \(admission)")
            return
        }
        #expect(other.membership.heads == lane.heads)
    }

    @Test
    func `is waited for until it ends, and at most sixteen at a time`() throws {
        var harbour = try Harbour()
        let (key, device) = (harbour.dave.root, harbour.dave.device)
        let offers = (0...NodeCore.joinLimit).map { number in
            let id = OperationID(digest: .hash("moot/1/test", [UInt8(number)]))
            let end = Harbour.moment.wall.milliseconds + Int64(number + 1) * 1_000
            return InviteOffer(
                conversation: ConversationID(createdBy: id), invite: id, key: key, end: Timestamp(clamping: end),
                device: device, places: [])
        }
        for offer in offers.dropLast() { #expect(try !harbour.alice.join(by: offer, at: Harbour.moment)) }
        let last = try #require(offers.last)
        let error = #expect(throws: NodeError.self) { try harbour.alice.join(by: last, at: Harbour.moment) }
        #expect(error?.code == .invalidOperation)
        #expect(harbour.alice.nextCodeEnd == Instant(sinceStart: .seconds(1)))

        let later = Moment(monotonic: Instant(sinceStart: .seconds(1)), wall: offers[0].end)
        harbour.alice.tick(at: later)
        #expect(harbour.alice.joinings.count == NodeCore.joinLimit - 1)
        #expect(harbour.alice.replicator.presented[offers[0].conversation] == nil)
        #expect(try !harbour.alice.join(by: last, at: later))
    }
}
