import Membership
import OperationLogFixtures

extension Trial {
    /// What is said of the members in a part of the graph that does not hold in a graph that is this part.
    ///
    /// The graph grows outside the part, too, and copies of the part go their own way.
    var dependence: String? {
        var random = SplitMix64(seed: seed)
        var whole = empty
        var arrived = 0
        var part = PartialMembership()
        var alone = empty
        var included: Set<String> = []
        var targets = Array(operations.indices.shuffled(using: &random).prefix(4))
        if Bool.random(using: &random) { targets.sort() }
        for target in targets {
            var copy = part
            let said = included.isEmpty ? [] : alone.state.members
            let news = ledger.history(of: target) + [operations[target]]
            let lacking = news.filter { included.insert($0.id).inserted }
            let reach = max(arrived, target + 1, Int.random(in: 0...operations.count, using: &random))
            for operation in operations[arrived..<reach] { whole.insert(operation) }
            arrived = reach
            if Bool.random(using: &random), whole.members(in: &part) != said {
                return "what came outside a part before \(operations[target].id) made other people members in it"
            }
            whole.include(lacking.map(\.id), in: &part)
            for operation in lacking { alone.insert(operation) }
            guard whole.members(in: &part) == alone.state.members else {
                return "with \(operations[target].id) other people are members in a part of the graph"
            }
            guard whole.members(in: &copy) == said else {
                return "a copy of a part changed when \(operations[target].id) came into the part"
            }
            whole.include(lacking.map(\.id), in: &copy)
            guard whole.members(in: &copy) == alone.state.members else {
                return "a copy of a part goes another way with \(operations[target].id)"
            }
        }
        return nil
    }
}
