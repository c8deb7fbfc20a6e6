/// Decides who is in a group from the operations of its membership lane.
///
/// State is a pure function of the set of operations: two resolvers that were given the same operations give the same answers,
/// whatever the order of insertion and whoever lied. This resolver evaluates in full after each insertion that is asked about.
public final class MembershipResolver<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable> {
    /// A member as the state shows him.
    public struct Member: Sendable {
        /// The person.
        public let person: Person
        /// His role.
        public let tier: Tier
        /// The operation that made his most senior live grant.
        public let madeBy: ID?
        /// Who made it, unless himself.
        public let addedBy: Person?
    }

    private let history: History<ID, Person>
    private let capacity: Int
    private var everything = OperationSet()

    /// Begins with no operations.
    ///
    /// - Parameters:
    ///   - capacity: how many members a group may have; the rest wait.
    ///   - tieKey: bytes that order people of equal seniority and that nobody can choose.
    public init(capacity: Int = 256, tieKey: @escaping (Person) -> [UInt8]) {
        history = History(tieKey: tieKey)
        self.capacity = capacity
    }

    /// Takes in an operation after its parents; one whose parents are missing, or that is here, changes nothing.
    public func insert(_ operation: MembershipOperation<ID, Person>) {
        let count = history.operations.count
        history.insert(operation)
        if history.operations.count > count { everything.insert(count) }
    }

    private var evaluation: Evaluation<ID, Person> { history.evaluation(everything) }

    /// Who acts as admin while nobody is admin or founder.
    public var actingAdmin: Person? { evaluation.acting }

    /// Everybody who is a member, the highest role first, then by seniority; those who were let in and those who wait.
    public var people: (members: [Member], waiting: [Member]) {
        let evaluation = evaluation
        let acting = evaluation.acting
        let tier = { (person: Person) in
            person == acting ? Tier.admin : Tier(rawValue: evaluation.role(person)) ?? .member
        }
        let ordered = Set(evaluation.people + [acting].compactMap { $0 }).sorted { left, right in
            if tier(left) != tier(right) { return tier(left) > tier(right) }
            guard let one = evaluation.seniority(left), let other = evaluation.seniority(right) else {
                return left < right
            }
            return one.isSenior(to: other)
        }
        let described = ordered.map { person in
            let maker = evaluation.seniority(person).map { history.operations[$0.operation] }
            let adder = maker.flatMap { $0.author == person ? nil : $0.author }
            return Member(person: person, tier: tier(person), madeBy: maker?.id, addedBy: adder)
        }
        return (Array(described.prefix(capacity)), Array(described.dropFirst(capacity)))
    }

    /// The registers: for each field the effective write of the largest depth, then the greatest rank, then the smallest id.
    public var registers: [String: String] {
        let evaluation = evaluation
        var winners: [String: (depth: Int, grant: Grant<Person>, id: ID, value: String)] = [:]
        for index in history.operations.indices {
            let operation = history.operations[index]
            guard case .set(_, let field, let value) = operation.action, evaluation.isEffective(index),
                let grant = history.under(index)
            else { continue }
            let depth = history.depths[index]
            if let winner = winners[field] {
                if winner.depth > depth { continue }
                if winner.depth == depth {
                    if winner.grant.outranks(grant) { continue }
                    if !grant.outranks(winner.grant), winner.id < operation.id { continue }
                }
            }
            winners[field] = (depth, grant, operation.id, value)
        }
        return winners.mapValues(\.value)
    }

    /// Why an operation is void; nil if it is effective or not here.
    public func objection(to id: ID) -> Objection<ID>? {
        history.index[id].flatMap { evaluation.objection($0) }
    }

    /// Whether an operation is here and effective.
    public func isEffective(_ id: ID) -> Bool {
        history.index[id].map { evaluation.isEffective($0) } ?? false
    }

    /// Every operation that is void, ascending.
    public var void: [ID] {
        let evaluation = evaluation
        return history.operations.indices.filter { !evaluation.isEffective($0) }.map { history.operations[$0].id }
            .sorted()
    }

    /// What a person would best act under: his live grant of the highest rank that is moderator or more, or acting.
    public func authority(of person: Person) -> Authority<ID>? {
        let evaluation = evaluation
        let best = evaluation.liveGrants(person).filter {
            $0.tier >= .moderator && evaluation.live($0) == $0.tier.rawValue
        }
        .min { $0.outranks($1) }
        if let best { return .grant(history.operations[best.operation].id, slot: UInt64(best.slot)) }
        return evaluation.acting == person ? .acting : nil
    }

    /// Why an operation that a person would now write on top of everything would be void; nil if it would take effect.
    ///
    /// - Parameter id: a name no operation has.
    public func objection(to action: Action<ID, Person>, by person: Person, as id: ID) -> Objection<ID>? {
        let trial = MembershipResolver(capacity: capacity, tieKey: history.tieKey)
        for operation in history.operations { trial.insert(operation) }
        var heads = Set(history.operations.map(\.id))
        for operation in history.operations { heads.subtract(operation.parents) }
        trial.insert(MembershipOperation(id: id, author: person, parents: heads.sorted(), action: action))
        return trial.objection(to: id)
    }

    /// Everybody who ever had a grant, effective or not.
    public var everyone: [Person] { history.grantsOf.keys.sorted() }

    /// The target of every invite.
    public var invited: [Person] {
        history.operations.compactMap { operation in
            if case .invite(_, let person) = operation.action { person } else { nil }
        }
    }
}
