import Membership

/// The rank of an operation, worked out once more from the words of the specification: tier, then smaller depth, then smaller slot, then
/// smaller name. Greater is weightier.
struct IndependentRank: Comparable {
    private let tier: Tier
    private let depth: Int
    private let slot: UInt64
    private let name: String

    /// The rank of the grant that an operation acts under, or that a join makes; nil for what uses no authority.
    init?(of number: Int, in graph: RandomGraph) {
        let operation = graph.operations[number]
        let grant: RandomGraph.Made?
        switch operation.action.authority {
        case .acting: grant = graph.grants.first { $0.operation == number && $0.slot == 0 }
        case .grant(let id, let slot):
            grant = graph.grants.first { graph.operations[$0.operation].id == id && $0.slot == slot }
        case nil:
            guard case .join = operation.action else { return nil }
            grant = graph.grants.first { $0.operation == number }
        }
        guard let grant else { return nil }
        tier = grant.tier
        depth = grant.depth
        slot = grant.slot
        name = grant.holder
    }

    static func < (left: IndependentRank, right: IndependentRank) -> Bool {
        (left.tier, right.depth, right.slot, right.name) < (right.tier, left.depth, left.slot, left.name)
    }
}
