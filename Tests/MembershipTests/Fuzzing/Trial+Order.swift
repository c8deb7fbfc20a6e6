import Membership
import OperationLogFixtures

extension Trial {
    /// What another order of arrival changes.
    var disorder: String? {
        var random = SplitMix64(seed: ~seed)
        let reordered = Shrinking.reordered(operations, using: &random)
        guard judgment == Judgment(Self.resolver(after: reordered, capacity: capacity), of: operations) else {
            return "another order of arrival: \(reordered.map(\.id))"
        }
        return nil
    }

    /// What is said otherwise than before, without having been named when the resolver was settled.
    var silence: String? {
        var resolver = empty
        var said: [String: Verdict<String>] = [:]
        for (number, operation) in operations.enumerated() {
            resolver.insert(operation)
            // Some are settled one by one, some together.
            guard seed >> UInt64(number % 64) & 1 == 1 || number == operations.count - 1 else { continue }
            for id in resolver.settleReportingChanges() { said[id] = resolver.verdict(of: id) }
        }
        return operations.first { said[$0.id] != resolver.verdict(of: $0.id) }
            .map { "something else is said of \($0.id) than when it was named last" }
    }

    /// Where the incremental evaluation first differed from the full one.
    var differenceOnTheWay: String? {
        var resolver = empty
        for count in 1...operations.count {
            resolver.insert(operations[count - 1])
            // What is settled and what is not must say the same.
            if seed >> UInt64(count % 64) & 1 == 1 { resolver.settle() }
            let begun = Array(operations.prefix(count))
            guard Judgment(resolver, of: begun) == Judgment(full(ofFirst: count), of: begun) else {
                return "the evaluations differ after operation \(operations[count - 1].id)"
            }
        }
        return nil
    }
}
