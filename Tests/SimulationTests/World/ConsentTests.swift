import Conversations
import OperationLog
import Testing

@testable import NodeCore

/// When Alice is asked, who wants to be asked before a group is hers.
@Suite("Being asked")
struct ConsentTests {
    @Test(arguments: [true, false])
    func `happens once to who was added twice apart from each other, whichever was heard of first`(
        bobFirst: Bool
    ) throws {
        var harbour = try Harbour()
        try harbour.alice.setAsksWhenAdded(true, at: Harbour.moment)
        let credentials = harbour.alice.ownCredentials
        var apart = harbour
        try harbour.decide(harbour.bob) { .add(under: $0, targets: [credentials]) }
        try apart.decide(apart.carol) { .add(under: $0, targets: [credentials]) }
        let (first, second) = bobFirst ? (harbour.log, apart.log) : (apart.log, harbour.log)
        harbour.tell(first)
        #expect(try harbour.isAsked)
        try harbour.alice.acceptInvite(to: harbour.log.conversation, at: Harbour.moment)
        #expect(try !harbour.isAsked)
        harbour.tell(second)
        #expect(try !harbour.isAsked)
    }

    @Test
    func `does not happen to who came by himself, and was added by somebody who did not know`() throws {
        var harbour = try Harbour()
        try harbour.alice.setAsksWhenAdded(true, at: Harbour.moment)
        let credentials = harbour.alice.ownCredentials
        var apart = harbour
        try harbour.decide(harbour.bob) { .set(under: $0, field: Group.nameField, value: "Ship") }
        try harbour.decide(harbour.bob) { .invite(under: $0, .person(credentials)) }
        try apart.decide(apart.carol) { .add(under: $0, targets: [credentials]) }
        harbour.tell()
        try harbour.alice.acceptInvite(to: harbour.log.conversation, at: Harbour.moment)
        harbour.tell(apart.log)
        #expect(try harbour.held.adding(of: harbour.alice.me) != nil, "the other ranks first")
        #expect(try !harbour.isAsked)
    }

    @Test
    func `happens again to who was removed and is added again`() throws {
        var harbour = try Harbour()
        try harbour.alice.setAsksWhenAdded(true, at: Harbour.moment)
        try harbour.addAlice()
        try harbour.alice.acceptInvite(to: harbour.log.conversation, at: Harbour.moment)
        let (me, credentials) = (harbour.alice.me, harbour.alice.ownCredentials)
        try harbour.decide(harbour.bob) { .remove(under: $0, target: me, pins: []) }
        harbour.tell()
        #expect(try !harbour.isAsked)
        try harbour.decide(harbour.bob) { .add(under: $0, targets: [credentials]) }
        harbour.tell()
        #expect(try harbour.isAsked)
    }
}
