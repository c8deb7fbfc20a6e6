/// What was found lately, until it is too much.
struct Remembered<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    private var answers: [Question: Answer] = [:]
    private var entries = 0
    private let maximum: Int

    init(_ maximum: Int) { self.maximum = maximum }

    subscript(question: Question) -> Answer? { answers[question] }

    /// Remembers an answer that has so many entries.
    mutating func note(_ answer: Answer, for question: Question, entries count: Int) {
        if entries > maximum { (answers, entries) = ([:], 0) }
        answers[question] = answer
        entries += count + Self.overhead
    }

    /// What each answer counts besides its entries.
    private static var overhead: Int { 8 }
}
