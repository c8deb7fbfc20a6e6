extension Plan {
    /// The smallest plan found that still fails: fewer steps, then fewer nodes (delta debugging; Zeller and
    /// Hildebrandt, IEEE TSE 2002).
    ///
    /// - Parameters:
    ///   - mayGoOn: asked before each try.
    ///   - fails: whether a plan fails in the same way.
    package func shrunk(while mayGoOn: () -> Bool, failing fails: (Plan) throws -> Bool) rethrows -> Plan {
        var best = self
        var isSmaller = true
        while isSmaller, mayGoOn() {
            let before = (best.steps.count, best.nodes, best.owners.count)
            best = try best.withFewerSteps(while: mayGoOn, failing: fails)
            best = try best.withFewerNodes(while: mayGoOn, failing: fails)
            best = try best.withFewerDevices(while: mayGoOn, failing: fails)
            isSmaller = (best.steps.count, best.nodes, best.owners.count) < before
        }
        return best
    }

    private func withFewerSteps(while mayGoOn: () -> Bool, failing fails: (Plan) throws -> Bool) rethrows -> Plan {
        var best = self
        var length = max(1, steps.count / 2)
        while true {
            var start = 0
            while start < best.steps.count, mayGoOn() {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + length, best.steps.count))
                if try fails(candidate) { best = candidate } else { start += length }
            }
            guard length > 1, mayGoOn() else { return best }
            length /= 2
        }
    }

    private func withFewerNodes(while mayGoOn: () -> Bool, failing fails: (Plan) throws -> Bool) rethrows -> Plan {
        var best = self
        while best.nodes > 2, mayGoOn() {
            var candidate = best
            candidate.nodes -= 1
            candidate.liars.removeAll { $0 >= candidate.nodes }
            candidate.owners = candidate.owners.filter { $0 < candidate.nodes && $1 < candidate.nodes }
            candidate.rootHolders.removeAll { candidate.owners[$0] == nil }
            guard try fails(candidate) else { break }
            best = candidate
        }
        return best
    }

    /// A host that needs not be the device of another one's user is the first of its own.
    private func withFewerDevices(while mayGoOn: () -> Bool, failing fails: (Plan) throws -> Bool) rethrows -> Plan {
        var best = self
        for host in owners.keys.sorted() where mayGoOn() {
            var candidate = best
            candidate.owners[host] = nil
            candidate.rootHolders.removeAll { $0 == host }
            if try fails(candidate) { best = candidate }
        }
        return best
    }

    /// What makes a plan that was read from a file impossible to run; nil if nothing does.
    package var flaw: String? {
        guard (2...Self.maximumNodes).contains(nodes) else { return "a network has 2 to \(Self.maximumNodes) nodes" }
        guard liars.allSatisfy((0..<nodes).contains) else { return "a liar is no node" }
        let isOwned = owners.allSatisfy { host, owner in
            (0..<nodes).contains(host) && (0..<nodes).contains(owner) && owners[owner] == nil
        }
        guard isOwned else { return "a device is nobody's" }
        guard (0...100_000_000).contains(end) else { return "it ends too late" }
        let isPossible = steps.allSatisfy { step in
            (0...100_000_000).contains(step.at) && step.host >= 0 && step.conversation >= 0 && step.other >= 0
                && (0...100_000_000).contains(step.value)
        }
        return isPossible ? nil : "a step has a negative number or is too far ahead"
    }
}
