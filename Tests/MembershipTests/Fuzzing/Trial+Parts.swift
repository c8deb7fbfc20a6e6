import Membership
import OperationLogFixtures

extension Trial {
    /// What is said of the members in a part of the graph that does not hold in a graph that is this part.
    var dependence: String? {
        var random = SplitMix64(seed: seed)
        var part = PartialMembership()
        var alone = empty
        var included: Set<String> = []
        for target in operations.indices.shuffled(using: &random).prefix(4) {
            let news = ledger.history(of: target) + [operations[target]]
            let lacking = news.filter { included.insert($0.id).inserted }
            resolver.include(lacking.map(\.id), in: &part)
            for operation in lacking { alone.insert(operation) }
            guard resolver.members(in: &part) == alone.state.members else {
                return "with \(operations[target].id) other people are members in a part of the graph"
            }
        }
        return nil
    }
}
