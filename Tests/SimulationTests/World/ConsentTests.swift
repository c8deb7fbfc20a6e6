import Conversations
import OperationLog
import Testing

@testable import NodeCore

/// When Alice is asked, who wants to be asked before a group is theirs.
@Suite("Being asked")
struct ConsentTests {
    @Test(arguments: [true, false])
    func `happens once to who was added twice apart from each other, whichever was heard of first`(
        bobFirst: Bool
    ) throws {
        var fixture = try StrangerGroupFixture()
        try fixture.alice.setAsksWhenAdded(true, at: StrangerGroupFixture.moment)
        let credentials = fixture.alice.ownCredentials
        var apart = fixture
        try fixture.decide(fixture.bob) { .add(under: $0, targets: [credentials]) }
        try apart.decide(apart.carol) { .add(under: $0, targets: [credentials]) }
        let (first, second) = bobFirst ? (fixture.log, apart.log) : (apart.log, fixture.log)
        fixture.tell(first)
        #expect(try fixture.isAsked)
        try fixture.alice.acceptInvite(to: fixture.log.conversation, at: StrangerGroupFixture.moment)
        #expect(try !fixture.isAsked)
        fixture.tell(second)
        #expect(try !fixture.isAsked)
    }

    @Test
    func `does not happen to who came by themselves, and was added by somebody who did not know`() throws {
        var fixture = try StrangerGroupFixture()
        try fixture.alice.setAsksWhenAdded(true, at: StrangerGroupFixture.moment)
        let credentials = fixture.alice.ownCredentials
        var apart = fixture
        try fixture.decide(fixture.bob) { .set(under: $0, field: Group.nameField, value: "Ship") }
        try fixture.decide(fixture.bob) { .invite(under: $0, .person(credentials)) }
        try apart.decide(apart.carol) { .add(under: $0, targets: [credentials]) }
        fixture.tell()
        try fixture.alice.acceptInvite(to: fixture.log.conversation, at: StrangerGroupFixture.moment)
        fixture.tell(apart.log)
        #expect(try fixture.held.adding(of: fixture.alice.me) != nil, "the other ranks first")
        #expect(try !fixture.isAsked)
    }

    @Test
    func `happens again to who was removed and is added again`() throws {
        var fixture = try StrangerGroupFixture()
        try fixture.alice.setAsksWhenAdded(true, at: StrangerGroupFixture.moment)
        try fixture.addAlice()
        try fixture.alice.acceptInvite(to: fixture.log.conversation, at: StrangerGroupFixture.moment)
        let (me, credentials) = (fixture.alice.me, fixture.alice.ownCredentials)
        try fixture.decide(fixture.bob) { .remove(under: $0, target: me, pins: []) }
        fixture.tell()
        #expect(try !fixture.isAsked)
        try fixture.decide(fixture.bob) { .add(under: $0, targets: [credentials]) }
        fixture.tell()
        #expect(try fixture.isAsked)
    }
}
