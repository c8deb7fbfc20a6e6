/// A choice of which some answers are likelier than others.
struct WeightedChoice<Answer: Sendable>: Sendable {
    private let entries: [(answer: Answer, weight: Int)]
    private let total: Int

    init(_ entries: [(Answer, Int)]) {
        self.entries = entries.map { (answer: $0.0, weight: $0.1) }
        total = entries.reduce(0) { $0 + $1.1 }
    }

    /// Whether there is nothing to choose from.
    var isEmpty: Bool { entries.isEmpty }

    /// All answers.
    var answers: [Answer] { entries.map(\.answer) }

    /// Draws an answer.
    ///
    /// - Precondition: there is something to choose from.
    func draw(using random: inout SeededRandom) -> Answer {
        var rest = Int.random(in: 0..<total, using: &random)
        for entry in entries {
            rest -= entry.weight
            if rest < 0 { return entry.answer }
        }
        preconditionFailure("the weights add up to the total")
    }
}
