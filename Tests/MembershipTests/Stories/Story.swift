import Membership
import OperationLogFixtures
import Testing

/// A group in which people do things, told one deed after the other. Each deed sees all before it unless it names what it is `after`,
/// and acts under the best authority its author has there unless it names what it is `under`.
struct Story {
    typealias Operation = MembershipOperation<String, String>

    /// Why a deed came to nothing.
    struct Reason: Hashable, CustomStringConvertible {
        let rule: Rule
        let decider: String?

        var description: String { "\(rule.rawValue) by \(decider ?? "its own past")" }
    }

    /// The founding deed.
    static let founding = "create"
    /// What the founder acts under.
    static let founders: Authority<String> = .grant(founding, slot: 0)

    private(set) var operations: [Operation] = []
    private let capacity: Int

    init(founder: String, capacity: Int = 256) {
        self.capacity = capacity
        operations = [Operation(id: Self.founding, author: founder, parents: [], action: .create)]
    }

    // MARK: - Deeds

    @discardableResult
    mutating func add(
        _ people: String..., by author: String, after parents: [String]? = nil, under: Authority<String>? = nil
    ) -> String {
        write("add-\(people.joined(separator: "-"))", by: author, parents, under) { .add($0, people) }
    }

    @discardableResult
    mutating func remove(
        _ person: String, by author: String, after parents: [String]? = nil, under: Authority<String>? = nil
    ) -> String {
        write("remove-\(person)", by: author, parents, under) { .remove($0, person) }
    }

    @discardableResult
    mutating func promote(
        _ person: String, to tier: Tier = .admin, by author: String, after parents: [String]? = nil,
        under: Authority<String>? = nil
    ) -> String {
        write("promote-\(person)", by: author, parents, under) { .promote($0, person, tier) }
    }

    @discardableResult
    mutating func demote(
        _ person: String, to tier: Tier = .member, by author: String, after parents: [String]? = nil,
        under: Authority<String>? = nil
    ) -> String {
        write("demote-\(person)", by: author, parents, under) { .demote($0, person, tier) }
    }

    @discardableResult
    mutating func invite(
        _ person: String, by author: String, after parents: [String]? = nil, under: Authority<String>? = nil
    ) -> String {
        write("invite-\(person)", by: author, parents, under) { .invite($0, person) }
    }

    @discardableResult
    mutating func join(_ invite: String, by author: String, after parents: [String]? = nil) -> String {
        write("join", by: author, parents, nil) { _ in .join(invite) }
    }

    @discardableResult
    mutating func decline(_ invite: String, by author: String, after parents: [String]? = nil) -> String {
        write("decline", by: author, parents, nil) { _ in .decline(invite) }
    }

    @discardableResult
    mutating func cancel(
        _ invite: String, by author: String, after parents: [String]? = nil, under: Authority<String>? = nil
    ) -> String {
        write("cancel", by: author, parents, under) { .cancel($0, invite) }
    }

    @discardableResult
    mutating func ratify(
        keeping keep: [Kept<String>] = [], banning bans: [String] = [], by author: String,
        after parents: [String]? = nil, under: Authority<String>? = nil
    ) -> String {
        write("ratify", by: author, parents, under) { .ratify($0, keep: keep, bans: bans) }
    }

    @discardableResult
    mutating func rename(
        _ name: String, by author: String, after parents: [String]? = nil, under: Authority<String>? = nil
    ) -> String {
        write("rename-\(name)", by: author, parents, under) { .set($0, field: "name", value: name) }
    }

    @discardableResult
    mutating func leave(_ author: String, after parents: [String]? = nil) -> String {
        write("leave-\(author)", by: author, parents, nil) { _ in .leave }
    }

    @discardableResult
    mutating func stepDown(_ author: String, after parents: [String]? = nil) -> String {
        write("stepdown-\(author)", by: author, parents, nil) { _ in .stepdown }
    }

    @discardableResult
    mutating func create(_ author: String) -> String {
        write("again", by: author, nil, nil) { _ in .create }
    }

    @discardableResult
    mutating func merge(by author: String, after parents: [String]? = nil) -> String {
        write("merge", by: author, parents, nil) { _ in .merge }
    }

    @discardableResult
    mutating func introduceDevice(_ author: String, after parents: [String]? = nil) -> String {
        write("device-\(author)", by: author, parents, nil) { _ in .device }
    }

    private mutating func write(
        _ name: String, by author: String, _ parents: [String]?, _ under: Authority<String>?,
        _ action: (Authority<String>) -> Action<String, String>
    ) -> String {
        let parents = parents ?? heads
        let authority = under ?? view(after: parents).authorities(of: author).first ?? Self.founders
        let id = "\(name)/\(operations.count)"
        operations.append(Operation(id: id, author: author, parents: parents, action: action(authority)))
        return id
    }

    private var heads: [String] {
        let named = Set(operations.flatMap(\.parents))
        return operations.map(\.id).filter { !named.contains($0) }
    }

    /// What somebody sees who has heard of some deeds and of everything before them.
    private func view(after parents: [String]) -> MembershipResolver<String, String> {
        var seen = Set(parents)
        for operation in operations.reversed() where seen.contains(operation.id) { seen.formUnion(operation.parents) }
        return resolver(of: operations.filter { seen.contains($0.id) })
    }

    private func resolver(of operations: [Operation]) -> MembershipResolver<String, String> {
        var resolver = MembershipResolver<String, String>(capacity: capacity, tieKey: Judgement.tieKey)
        for operation in operations { resolver.insert(operation) }
        return resolver
    }
}

// MARK: - How it ends

extension Story {
    /// The end of the story: the same in whatever order it is heard.
    var end: MembershipState<String, String> { resolved.state }

    /// The members with their roles.
    var members: [String: Tier] { Dictionary(uniqueKeysWithValues: end.members.map { ($0.person, $0.tier) }) }

    /// The deeds that came to nothing, and why.
    var void: [String: Reason] {
        let resolver = resolved
        return Dictionary(
            uniqueKeysWithValues: resolver.void.compactMap { id in
                resolver.verdict(of: id)?.objection.map { (id, Reason(rule: $0.rule, decider: $0.decidedBy)) }
            })
    }

    private var resolved: MembershipResolver<String, String> {
        let resolver = resolver(of: operations)
        let told = Judgement(resolver, of: operations)
        #expect(
            told
                == Judgement(
                    MembershipResolver(evaluating: operations, capacity: capacity, tieKey: Judgement.tieKey),
                    of: operations))
        var random = SplitMix64(seed: UInt64(operations.count))
        for _ in 0..<5 {
            let order = Shrinking.reordered(operations, using: &random)
            #expect(
                told == Judgement(self.resolver(of: order), of: operations), "heard in the order \(order.map(\.id))")
        }
        return resolver
    }
}

extension Story.Reason {
    /// A rule, and the deed that decided.
    static func because(_ rule: Rule, _ decider: String? = nil) -> Story.Reason {
        Story.Reason(rule: rule, decider: decider)
    }
}
