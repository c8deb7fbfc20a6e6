import Membership

/// The facts of a graph that its operations alone fix, worked out from the words of the specification and not by the
/// code under test.
struct Ledger {
    typealias Operation = MembershipOperation<String, String, String>

    /// A grant, effective or not.
    struct Grant {
        let operation: Int
        let slot: UInt64
        let holder: String
        let rank: IndependentRank
    }

    /// The operations, each after its parents; at most 64.
    private(set) var operations: [Operation] = []
    private(set) var depths: [Int] = []
    /// What came before each operation.
    private(set) var pasts: [Past] = []
    /// The grants that each operation makes.
    private(set) var made: [[Grant]] = []
    /// The operations that no other one names as parent.
    private(set) var heads: Set<Int> = []
    private var numbers: [String: Int] = [:]

    init(_ operations: [Operation] = []) {
        for operation in operations { append(operation) }
    }

    /// Every grant, in the order of the operations.
    var grants: [Grant] { made.flatMap(\.self) }

    func number(of id: String) -> Int? { numbers[id] }

    /// What comes before an operation with these parents.
    func past(of parents: [Int]) -> Past {
        parents.reduce(into: Past()) { $0.formUnion($1, pasts[$1]) }
    }

    /// The operations that came before one, in their order.
    func history(of number: Int) -> [Operation] {
        operations.indices.filter { pasts[number].contains($0) }.map { operations[$0] }
    }

    /// The grant that an operation acts under, if it is in its past or its own.
    func authority(of number: Int) -> Grant? {
        switch operations[number].action.authority {
        case .acting?: return made[number].first { $0.slot == 0 }
        case .grant(let id, let slot)?:
            guard let maker = numbers[id], pasts[number].contains(maker) else { return nil }
            return made[maker].first { $0.slot == slot }
        case nil: return nil
        }
    }

    /// The rank of the grant that an operation acts under or, for a join, makes; nil for what uses no authority.
    func rank(of number: Int) -> IndependentRank? {
        if case .join = operations[number].action { return made[number].first?.rank }
        return authority(of: number)?.rank
    }

    mutating func append(_ operation: Operation) {
        let number = operations.count
        precondition(number < 64, "a graph has at most 64 operations")
        let parents = operation.parents.compactMap { numbers[$0] }
        let depth = (parents.map { depths[$0] }.max() ?? -1) + 1
        pasts.append(past(of: parents))
        operations.append(operation)
        depths.append(depth)
        made.append(grants(of: operation, number, depth: depth))
        numbers[operation.id] = number
        heads.subtract(parents)
        heads.insert(number)
    }

    private func grants(of operation: Operation, _ number: Int, depth: Int) -> [Grant] {
        func grant(_ slot: Int, _ holder: String, _ role: Role, depth: Int) -> Grant {
            Grant(
                operation: number, slot: UInt64(slot), holder: holder,
                rank: IndependentRank(role: role, depth: depth, slot: UInt64(slot), name: holder))
        }
        let own = operation.action.authority == .acting ? [grant(0, operation.author, .admin, depth: depth)] : []
        switch operation.action {
        case .create:
            return [
                grant(0, operation.author, .founder, depth: depth), grant(1, operation.author, .member, depth: depth),
            ]
        case .add(_, let people):
            return own + people.enumerated().map { grant($0 + 1, $1, .member, depth: depth) }
        case .promote(_, let person, let role), .demote(_, let person, let role):
            return own + [grant(1, person, role, depth: depth)]
        case .ratify(_, let keep, _):
            return own + keep.enumerated().map { grant($0 + 1, $1.person, $1.role, depth: depth) }
        case .join(let invite):
            return [grant(0, operation.author, .member, depth: numbers[invite].map { depths[$0] } ?? depth)]
        case .invite, .decline, .cancel, .remove, .set, .device, .revoke, .merge, .leave, .stepdown: return own
        }
    }
}
