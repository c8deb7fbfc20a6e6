/// Lies that attack sizes, counts and timeouts: how often each is in a plan.
package enum Siege {
    /// What liars choose from. Those that cost a run the most time are rare.
    static let usual = WeightedChoice<Step.Kind>([
        (.usurp, 4), (.linger, 4), (.dribble, 3), (.pester, 3), (.intrude, 3), (.branch, 2), (.reissue, 2),
        (.falsifyKeys, 2), (.bare, 1), (.bloat, 1), (.silence, 4),
    ])

    /// All kinds.
    package static let all = Set(usual.answers)

    /// Operations that people write for each of them.
    static let interval = 200
}

extension Plan {
    /// What liars besiege the others with. Drawn by itself, as typing is.
    mutating func appendSieges(_ operations: Int, only kind: Step.Kind?) {
        guard !liars.isEmpty else { return }
        var random = SeededRandom(seed: seed, part: 603)
        for _ in 0..<max(1, operations / Siege.interval) {
            let drawn = Siege.usual.draw(using: &random)
            steps.append(
                Step(
                    at: Int.random(in: 2_000..<max(2_001, end), using: &random),
                    host: liars[Int.random(in: 0..<liars.count, using: &random)], kind: kind ?? drawn,
                    conversation: Int.random(in: 0..<64, using: &random),
                    other: Int.random(in: 0..<64, using: &random), value: Int.random(in: 0..<24, using: &random)))
        }
    }
}
