import Membership

extension Trial {
    /// Whether something came in twice or before its parents, or a refusal changed anything.
    var carelessness: String? {
        var resolver = empty
        // The last one first: each names what is not there yet.
        for operation in operations.reversed() where !operation.parents.isEmpty {
            guard resolver.insert(operation) == .missing(operation.parents) else {
                return "\(operation.id) was taken in without its parents"
            }
        }
        guard resolver.heads.isEmpty, resolver.state == empty.state else { return "a refused operation left a trace" }
        for operation in operations {
            guard resolver.insert(operation) == .inserted else { return "\(operation.id) was not taken in" }
            guard resolver.insert(operation) == .duplicate else { return "\(operation.id) was taken in twice" }
        }
        guard Judgment(resolver, of: operations) == judgment else { return "a duplicate changed something" }
        return nil
    }

    /// Whether a copy made half-way was changed by what the original took in, or the other way round.
    var entanglement: String? {
        let half = Int(seed % UInt64(operations.count))
        var original = empty
        for operation in operations.prefix(half) { original.insert(operation) }
        let before = Judgment(original, of: operations)
        var copy = original
        for operation in operations.dropFirst(half) { original.insert(operation) }
        guard Judgment(copy, of: operations) == before else { return "a copy changed with the original" }
        for operation in operations.dropFirst(half) { copy.insert(operation) }
        guard Judgment(copy, of: operations) == judgment, Judgment(original, of: operations) == judgment else {
            return "a copy goes another way"
        }
        return nil
    }
}
