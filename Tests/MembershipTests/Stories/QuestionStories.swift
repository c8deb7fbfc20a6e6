import Membership
import ReplicatedTypes
import Testing

@Suite("Questions to a resolver")
struct QuestionStories {
    @Test func `what somebody may do is asked without doing it`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        let promotion = room.promote("Bob", to: .moderator, by: "Alice")
        let before = room.state
        let remove = Action<OperationName, String, String>.remove(promotion.grant(), "Carol")
        let promote = Action<OperationName, String, String>.promote(promotion.grant(), "Carol", .moderator)
        #expect(room.resolver.voidReason(of: remove, by: "Bob", as: "tried") == nil)
        let voidReason = room.resolver.voidReason(of: promote, by: "Bob", as: "tried")
        #expect(voidReason.map(Reason.init) == Reason(.roleTooLow, by: promotion))
        #expect(room.state == before)
        #expect(room.resolver.verdict(of: "tried") == nil)
    }

    @Test func `the weightiest grant is named first`() {
        var room = Room()
        let base = room.add("Bob", by: "Alice")
        let moderator = room.promote("Bob", to: .moderator, by: "Alice")
        let first = room.promote("Bob", to: .admin, by: "Alice")
        let second = room.promote("Bob", to: .admin, by: "Alice")
        #expect(
            room.resolver.authorities(of: "Bob") == [first.grant(), second.grant(), moderator.grant()])
        #expect(room.resolver.authorities(of: "Alice") == [room.creation.grant(0)])
        #expect(room.resolver.authorities(of: "Mallory") == [])
        room.remove("Bob", by: "Alice")
        #expect(room.resolver.authorities(of: "Bob") == [])
        #expect(room.counts(base))
    }

    @Test func `a member has no authority, unless they are acting admin`() {
        var room = Room()
        room.add("Bob", "Carol", by: "Alice")
        #expect(room.resolver.authorities(of: "Bob") == [])
        room.leave("Alice")
        #expect(room.resolver.authorities(of: "Bob") == [.acting])
        #expect(room.resolver.authorities(of: "Carol") == [])
        let operation = room.add("Dave", by: "Bob")
        #expect(room.counts(operation))
        #expect(room.resolver.authorities(of: "Bob") == [operation.grant(0)])
    }

    @Test func `one operation is known to another if it came before it`() {
        var room = Room()
        let one = room.add("Bob", by: "Alice", after: [room.creation])
        let other = room.add("Carol", by: "Alice", after: [room.creation])
        let merge = room.merge(by: "Alice")
        #expect(room.resolver.isKnown(room.creation, to: merge))
        #expect(room.resolver.isKnown(one, to: merge))
        #expect(!room.resolver.isKnown(one, to: other))
        #expect(!room.resolver.isKnown(merge, to: one))
        #expect(!room.resolver.isKnown(one, to: one))
        #expect(!room.resolver.isKnown("nothing", to: one))
    }

    @Test func `everybody who was ever given anything is known, and everybody invited`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        room.add("Carol", by: "Bob")
        room.invite("Dave", by: "Alice")
        room.remove("Bob", by: "Alice")
        room.merge(by: "Mallory")
        #expect(room.resolver.holders == ["Alice", "Bob", "Carol"])
        #expect(room.resolver.invited == ["Dave"])
    }

    @Test func `what is void is listed`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let forged = [room.add("Carol", by: "Bob"), room.remove("Alice", by: "Bob")]
        #expect(room.resolver.void == forged.sorted())
        #expect(room.void == forged)
    }

    @Test func `participants, moderators and admins are sets of grants`() {
        var room = Room()
        room.add("Bob", "Carol", "Dave", by: "Alice")
        room.promote("Bob", to: .admin, by: "Alice")
        room.promote("Carol", to: .moderator, by: "Alice")
        room.remove("Dave", by: "Alice")
        #expect(room.resolver.grants(atLeast: .member).elements.sorted() == ["Alice", "Bob", "Carol"])
        #expect(room.resolver.grants(atLeast: .moderator).elements.sorted() == ["Alice", "Bob", "Carol"])
        #expect(room.resolver.grants(atLeast: .admin).elements.sorted() == ["Alice", "Bob"])
        #expect(room.resolver.grants(atLeast: .founder).elements.sorted() == ["Alice"])
    }

    @Test func `what ended a membership is named, also by somebody who had not seen it begin`() {
        var room = Room()
        let addition = room.add("Bob", "Carol", by: "Alice")
        let promotion = room.promote("Bob", to: .admin, by: "Alice")
        let ours = room.remove("Carol", by: "Alice")
        let comeback = room.add("Carol", by: "Alice")
        let makers = [addition, comeback]
        #expect(room.resolver.firstEndings(ofGrantsBy: makers, to: "Carol", among: [ours]) == [0, nil])
        let theirs = room.remove("Carol", by: "Bob", after: [promotion])
        let endings = room.resolver.firstEndings(ofGrantsBy: makers, to: "Carol", among: [ours, theirs])
        #expect(endings == [0, 1], "the first one was known to the comeback")
        #expect(room.resolver.firstEndings(ofGrantsBy: makers, to: "Carol", among: [theirs, ours]) == [0, 0])
        #expect(room.resolver.firstEndings(ofGrantsBy: makers, to: "Bob", among: [ours]).first == .some(nil))
    }

    @Test func `the last of some operations in the past of others is named by its place`() {
        var room = Room()
        let one = room.add("Bob", by: "Alice", after: [room.creation])
        let other = room.add("Carol", by: "Alice", after: [room.creation])
        let merge = room.merge(by: "Alice")
        #expect(room.resolver.last(of: [one, other], inPastsOf: [one, other, merge]) == [nil, nil, 1])
        #expect(
            room.resolver.last(of: [merge, one, "nothing"], inPastsOf: [merge, other, "nothing"]) == [1, nil, nil])
        #expect(room.resolver.last(of: [room.creation, other], inPastsOf: [one, merge]) == [0, 1])
        #expect(room.resolver.last(of: [], inPastsOf: [merge]) == [nil])
    }

    @Test func `of two writes it is asked which one decides`() {
        var room = Room()
        room.add("Bob", by: "Alice")
        let base = room.promote("Bob", to: .admin, by: "Alice")
        let theirs = room.set("name", to: "Bob's", by: "Bob", after: [base])
        let ours = room.set("name", to: "Alice's", by: "Alice", after: [base])
        #expect(room.resolver.outwrites(ours, theirs) && !room.resolver.outwrites(theirs, ours))
        let later = room.set("name", to: "Bob's", by: "Bob")
        #expect(room.resolver.outwrites(later, ours))
        #expect(!room.resolver.outwrites("nothing", ours))
    }
}
