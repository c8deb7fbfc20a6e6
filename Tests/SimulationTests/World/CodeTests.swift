import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// What Alice's node does about invites by code, their own and those by which they want to join.
@Suite("Invites by code at a node")
struct CodeTests {
    @Test
    func `what the inviter may not take back any more is tried no more, until they may again`() throws {
        var fixture = try StrangerGroupFixture()
        try fixture.addAlice()
        let (me, conversation, dave) = (fixture.alice.me, fixture.log.conversation, fixture.dave)
        try fixture.decide(fixture.bob) { .promote(under: $0, target: me, role: .moderator) }
        fixture.tell()
        let made = try fixture.alice.makeCode(for: conversation, lasting: 3_600, at: StrangerGroupFixture.moment)
        #expect(fixture.alice.inviteCodes.nextEnd(in: conversation) == made.code.end)
        try fixture.listen()

        let key = try #require(SigningKey(seed: made.seed))
        let proof = InviteProof(of: made.code.id, to: conversation, for: dave.user, signedWith: key)
        try fixture.write(.join(invite: made.code.id, own: dave.credentials, proof: proof), by: dave)
        try fixture.decide(fixture.bob) { .demote(under: $0, target: me, role: .member) }
        fixture.tell()
        let code = try #require(try fixture.held.code(made.code.id))
        #expect(code.state == .used(by: dave.user))
        #expect(!code.isTakenBack)
        #expect(fixture.alice.inviteCodes.nextEnd(in: conversation) == nil)

        try fixture.decide(fixture.bob) { .promote(under: $0, target: me, role: .moderator) }
        fixture.tell()
        #expect(try fixture.held.code(made.code.id)?.isTakenBack == true)
    }

    @Test
    func `one that does not count now is waited for`() throws {
        var fixture = try StrangerGroupFixture()
        let offer = try fixture.makeCode(by: fixture.carol)
        #expect(try !fixture.alice.join(by: offer, at: StrangerGroupFixture.moment))
        let carol = fixture.carol.user
        try fixture.decide(fixture.bob) { .demote(under: $0, target: carol, role: .member) }
        fixture.tell()
        #expect(try fixture.held.code(offer.invite)?.state == .void)
        #expect(try !fixture.alice.join(by: offer, at: StrangerGroupFixture.moment))
        #expect(fixture.alice.inviteCodes.awaited.contains(offer.conversation))
    }

    @Test(arguments: [true, false])
    func `a member says of a code that it was taken back, and nothing of one that does not count now`(
        isTakenBack: Bool
    ) throws {
        var fixture = try StrangerGroupFixture()
        try fixture.addAlice()
        let offer = try fixture.makeCode(by: fixture.carol)
        let carol = fixture.carol.user
        if isTakenBack {
            try fixture.decide(fixture.carol) { .cancel(under: $0, invite: offer.invite) }
        } else {
            try fixture.decide(fixture.bob) { .demote(under: $0, target: carol, role: .member) }
        }
        fixture.tell()
        #expect(try fixture.held.code(offer.invite)?.state == (isTakenBack ? .canceled : .void))

        let dave = fixture.connect(to: fixture.dave)
        let proof = InviteProof(
            of: offer.invite, to: offer.conversation, for: fixture.dave.user, signedWith: offer.key)
        _ = fixture.alice.takeEffects()
        fixture.alice.examine(proof, of: offer.invite, to: offer.conversation, from: dave)
        let answers = fixture.alice.takeEffects().compactMap { effect -> [UInt8]? in
            guard case .send(dave, let bytes, _) = effect else { return nil }
            return bytes
        }
        #expect(answers == (isTakenBack ? [PeerMessage.sharing(.refusal(offer.invite, .canceled)).encoded] : []))
    }

    @Test
    func `what others than the inviter say of one is told as what it is, and ends nothing`() throws {
        var fixture = try StrangerGroupFixture()
        let offer = try fixture.makeCode(by: fixture.carol)
        #expect(try !fixture.alice.join(by: offer, at: StrangerGroupFixture.moment))
        let nobody = fixture.alice.delay(of: offer)
        #expect(nobody.message == "Network error. Please try again")
        #expect(nobody.hint?.hasPrefix("Nobody of the group") == true)
        let stranger = fixture.connect(to: fixture.dave)
        fixture.alice.tellInviteCodes(.refused(.used, offer.invite, by: stranger))
        let told = fixture.alice.delay(of: offer)
        #expect(told.code == .networkError)
        #expect(told.message.contains("may not know"))
        #expect(told.hint?.contains("goes on trying") == true)
        #expect(try !fixture.alice.join(by: offer, at: StrangerGroupFixture.moment))

        let inviter = fixture.connect(to: fixture.carol)
        fixture.alice.tellInviteCodes(.refused(.used, offer.invite, by: inviter))
        let error = #expect(throws: NodeError.self) {
            try fixture.alice.join(by: offer, at: StrangerGroupFixture.moment)
        }
        #expect(error?.code == .codeUsed)
    }

    @Test
    func `the proof of a join is shown, also after a start, until somebody else is known to hold the join`() throws {
        var fixture = try StrangerGroupFixture()
        let offer = try fixture.makeCode(by: fixture.carol)
        let conversation = offer.conversation
        let user = fixture.alice.me
        #expect(try !fixture.alice.join(by: offer, at: StrangerGroupFixture.moment))
        fixture.tell()
        #expect(try fixture.held.isMember(user))
        #expect(fixture.alice.replicator.presented[conversation]?.invite == offer.invite)

        // The process ends before anybody has the join.
        try fixture.restart()
        #expect(fixture.alice.replicator.presented[conversation]?.invite == offer.invite)
        fixture.tell()
        #expect(fixture.alice.replicator.presented[conversation] != nil)

        try fixture.listen()
        try fixture.decide(fixture.carol) { .cancel(under: $0, invite: offer.invite) }
        fixture.tell()
        #expect(fixture.alice.replicator.presented[conversation] == nil)
        #expect(try fixture.held.isMember(user))
        try fixture.restart()
        #expect(fixture.alice.replicator.presented[conversation] == nil)
    }

    /// Alice is in the group by the join alone, so nobody would admit a merge of theirs before it.
    @Test(arguments: [(16, 0), (60, 2)])
    func `a join names the invite, however many heads the lane has, and merges come after it`(
        branches: Int, merges: Int
    ) throws {
        var fixture = try StrangerGroupFixture()
        let before = fixture.log
        let offer = try fixture.makeCode(by: fixture.carol)
        #expect(try !fixture.alice.join(by: offer, at: StrangerGroupFixture.moment))
        for number in 0..<branches {
            var branch = before
            let time = Timestamp(clamping: StrangerGroupFixture.moment.wall.milliseconds + Int64(number))
            _ = try branch.write(membership: [.init(type: .merge, body: [])], by: fixture.bob.author, at: time)
            fixture.tell(branch)
        }
        fixture.tell()
        #expect(try fixture.held.isMember(fixture.alice.me))

        let lane = try fixture.replica.log.membership
        let written = lane.operations.filter { $0.author.user == fixture.alice.me }.map(\.header.type)
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
        var fixture = try StrangerGroupFixture()
        let (key, device) = (fixture.dave.root, fixture.dave.device)
        let offers = (0...InviteCodes.maximumJoins).map { number in
            let id = OperationID(digest: .hash("moot/1/test", [UInt8(number)]))
            let end = StrangerGroupFixture.moment.wall.milliseconds + Int64(number + 1) * 1_000
            return InviteOffer(
                conversation: ConversationID(createdBy: id), invite: id, key: key, end: Timestamp(clamping: end),
                device: device, places: [])
        }
        for offer in offers.dropLast() { #expect(try !fixture.alice.join(by: offer, at: StrangerGroupFixture.moment)) }
        let last = try #require(offers.last)
        let error = #expect(throws: NodeError.self) {
            try fixture.alice.join(by: last, at: StrangerGroupFixture.moment)
        }
        #expect(error?.code == .invalidOperation)
        #expect(fixture.alice.inviteCodes.nextDeadline(in: fixture.alice.context) == Instant(sinceStart: .seconds(1)))

        let later = Moment(monotonic: Instant(sinceStart: .seconds(1)), wall: offers[0].end)
        fixture.alice.handle(.tick, at: later)
        #expect(fixture.alice.inviteCodes.awaited.count == InviteCodes.maximumJoins - 1)
        #expect(fixture.alice.replicator.presented[offers[0].conversation] == nil)
        #expect(try !fixture.alice.join(by: last, at: later))
    }
}
