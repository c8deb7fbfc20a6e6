import Membership
import Testing

@Suite("Handing operations to a resolver")
struct InsertionStories {
    private typealias Operation = MembershipOperation<String, String, String>

    private static let creation = Operation(id: "g", author: "Alice", parents: [], action: .create)
    private static let addition = Operation(
        id: "a", author: "Alice", parents: ["g"], action: .add(.grant("g", slot: 0), ["Bob"]))

    @Test func `an operation is taken in once`() {
        var resolver = MembershipResolver<String, String, String>(tieBreaker: Judgment.tieBreaker)
        #expect(resolver.insert(Self.creation) == .inserted)
        #expect(resolver.insert(Self.creation) == .duplicate)
        #expect(resolver.insert(Self.addition) == .inserted)
        let before = Judgment(resolver, of: [Self.creation, Self.addition])
        #expect(resolver.insert(Self.addition) == .duplicate)
        #expect(Judgment(resolver, of: [Self.creation, Self.addition]) == before)
        #expect(resolver.heads == ["a"])
    }

    @Test func `another operation of the same name is a duplicate and changes nothing`() {
        var resolver = MembershipResolver<String, String, String>(tieBreaker: Judgment.tieBreaker)
        resolver.insert(Self.creation)
        resolver.insert(Self.addition)
        let impostor = Operation(id: "a", author: "Alice", parents: ["g"], action: .leave)
        #expect(resolver.insert(impostor) == .duplicate)
        #expect(resolver.state.role(of: "Alice") == .founder)
    }

    @Test func `missing parents are named, and nothing changes`() {
        var resolver = MembershipResolver<String, String, String>(tieBreaker: Judgment.tieBreaker)
        resolver.insert(Self.creation)
        let orphan = Operation(id: "o", author: "Bob", parents: ["a", "g", "x"], action: .merge)
        #expect(resolver.insert(orphan) == .missing(["a", "x"]))
        #expect(resolver.verdict(of: "o") == nil)
        #expect(resolver.heads == ["g"])
        #expect(resolver.state.members.map(\.person) == ["Alice"])
    }

    @Test func `an operation can come after its parents have`() {
        var resolver = MembershipResolver<String, String, String>(tieBreaker: Judgment.tieBreaker)
        #expect(resolver.insert(Self.addition) == .missing(["g"]))
        resolver.insert(Self.creation)
        #expect(resolver.insert(Self.addition) == .inserted)
        #expect(resolver.state.role(of: "Bob") == .member)
    }

    @Test func `a copy goes its own way`() {
        var resolver = MembershipResolver<String, String, String>(tieBreaker: Judgment.tieBreaker)
        resolver.insert(Self.creation)
        let copy = resolver
        resolver.insert(Self.addition)
        #expect(copy.state.role(of: "Bob") == nil)
        #expect(copy.verdict(of: "a") == nil)
        #expect(copy.heads == ["g"])
        #expect(resolver.state.role(of: "Bob") == .member)
    }

    @Test func `a resolver without operations knows nobody`() {
        let resolver = MembershipResolver<String, String, String>(tieBreaker: Judgment.tieBreaker)
        #expect(resolver.state.members == [])
        #expect(resolver.state.isArchived)
        #expect(resolver.state.actingAdmin == nil)
        #expect(resolver.heads == [])
        #expect(resolver.void == [])
        #expect(resolver.verdict(of: "g") == nil)
    }
}
