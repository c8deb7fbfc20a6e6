/// Users with several devices: which hosts become further devices of whom, and when.
extension Plan {
    /// How many devices a user has at most.
    private static let maximumDevices = 3
    /// Of so many seeds one has users of one device only.
    private static let single: UInt64 = 3

    /// Makes some hosts further devices of others' users. Drawn by itself, as typing is: the steps of a host stay what
    /// they are.
    ///
    /// - Parameter count: how many, at most; nil for what the seed chooses.
    mutating func appendDevices(_ count: Int?) {
        var random = SeededRandom(seed: seed, part: 607)
        let isSingle = Int.random(in: 0..<Int(Self.single), using: &random) == 0
        let drawn = Int.random(in: 1...max(1, nodes / 2), using: &random)
        // Somebody must be left to talk to.
        let count = min(count ?? (isSingle ? 0 : drawn), nodes - 2)
        var hosts = (0..<nodes).shuffled(using: &random)
        while owners.count < count, let host = hosts.popLast() {
            // Who lies does so on all their devices.
            let people = hosts.filter { owner in
                liars.contains(owner) == liars.contains(host)
                    && owners.values.count { $0 == owner } < Self.maximumDevices - 1
            }
            guard !owners.values.contains(host), let owner = people.randomElement(using: &random) else { continue }
            owners[host] = owner
            if Int.random(in: 0..<4, using: &random) == 0 { rootHolders.append(host) }
            // Half of them before much was said.
            let latest = Bool.random(using: &random) ? 2_000 + end / 10 : end
            let linked = Int.random(in: 1_600..<max(latest, 1_601), using: &random)
            steps.append(
                Step(
                    at: linked, host: host, kind: .link, conversation: 0, other: owner,
                    value: Int.random(in: 0..<64, using: &random)))
            // A third of them go again, by the word of whoever has the root.
            let holders = [owner] + rootHolders.filter { owners[$0] == owner && $0 != host }
            guard Int.random(in: 0..<3, using: &random) == 0, linked + 1_000 < end else { continue }
            appendEnd(
                Step(
                    at: Int.random(in: linked + 1_000..<end, using: &random),
                    host: holders.randomElement(using: &random) ?? owner, kind: .retire,
                    conversation: 0, other: host, value: Int.random(in: 0..<64, using: &random)))
        }
        appendPrivateState()
    }

    /// A device goes: half of them are revoked, and of these half are stolen where there are liars.
    private mutating func appendEnd(_ step: Step) {
        var random = SeededRandom(seed: seed, part: UInt64(60_800 + step.other))
        guard Bool.random(using: &random) else { return steps.append(step) }
        var step = step
        step.kind = .revoke
        steps.append(step)
        // Who steals the root as well is that user.
        guard profile.hasLiars, !rootHolders.contains(step.other), !liars.contains(step.other),
            Bool.random(using: &random)
        else { return }
        liars = (liars + [step.other]).sorted()
        for number in 0..<Int.random(in: 2...5, using: &random) {
            // The first ones while its user knows nothing yet.
            let earliest = number < 2 ? max(1_600, step.at - 2_000) : step.at
            steps.append(
                Step(
                    at: Int.random(in: earliest..<max(earliest + 1, end), using: &random), host: step.other,
                    kind: .steal, conversation: Int.random(in: 0..<64, using: &random),
                    other: Int.random(in: 0..<64, using: &random), value: Int.random(in: 0..<64, using: &random)))
        }
    }

    /// What users with several devices keep for themselves.
    private mutating func appendPrivateState() {
        var random = SeededRandom(seed: seed, part: 609)
        for host in Set(owners.keys).union(owners.values).sorted() {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                steps.append(
                    Step(
                        at: Int.random(in: 1_700..<end, using: &random), host: host, kind: .keep,
                        conversation: Int.random(in: 0..<64, using: &random),
                        other: Int.random(in: 0..<64, using: &random), value: Int.random(in: 0..<64, using: &random)))
            }
        }
    }
}
