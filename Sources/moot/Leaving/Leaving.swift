import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// Leaves a group, after the questions for which there is somebody to ask.
struct Leaving {
    /// How often a number is asked for that is none.
    private static let attempts = 3

    let node: LocalClient
    let output: Output
    /// Whether there is somebody to ask, who has not said yes already.
    let mayAsk: Bool

    /// Leaves, unless whoever is asked does not want to.
    func leave(_ conversation: String, _ departure: Departure) async throws {
        var (conversation, departure) = (conversation, departure)
        if mayAsk {
            let group = try await node.conversation(conversation)
            let questions = departure.questions(leaving: group, as: try await node.profile().user)
            for question in questions where !ask(question, &departure) {
                output.say("You stay in \(TerminalText.line(group.title)).")
                throw ExitCode(ExitStatus.refused.rawValue)
            }
            conversation = group.id
        }
        let left = try await ArchiveQuestion(isAllowed: departure.archive, mayAsk: mayAsk).ask {
            [conversation, departure] archive async throws(LocalClientError) in
            try await node.leave(
                conversation, successor: departure.successor, force: departure.force, archive: archive)
        }
        try output.changed(left, "You left \(TerminalText.line(left.title)).")
    }

    /// Whether they go on.
    private func ask(_ question: Departure.Question, _ departure: inout Departure) -> Bool {
        guard case .successor(let candidates) = question else {
            guard Question.isAnsweredYes(question.text) else { return false }
            departure.agree(to: question)
            return true
        }
        var text = question.text
        for _ in 0..<Self.attempts {
            guard let answer = Question.answer(to: text) else { return false }
            if departure.choose(answer, among: candidates) { return true }
            text = "A number from 1 to \(candidates.count + 1) [1]: "
        }
        return false
    }
}
