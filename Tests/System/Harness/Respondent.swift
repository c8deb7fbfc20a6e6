import Foundation
import Testing
import Waiting

/// A person at a terminal who runs commands and answers what these ask.
struct Respondent {
    private let scratch: Scratch
    private let typist: Typist

    init() throws {
        scratch = try Scratch()
        typist = try Typist()
    }

    /// Runs a command of a node, and gives these answers in this order, each once its question is asked.
    func run(
        _ arguments: [String], of node: TestNode, answering answers: [(question: String, answer: String)] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Program.Outcome {
        let name = UUID().uuidString
        let program = try Program(
            [TestNode.moot] + arguments, environment: ["MOOT_HOME": node.home], input: typist.terminal,
            output: scratch.file("\(name).out"), errors: scratch.file("\(name).err"))
        for (question, answer) in answers {
            await eventually("it asks \"\(question)\"", sourceLocation: sourceLocation) {
                program.errors.contains(question)
            }
            typist.type(answer + "\r")
        }
        return await program.ended()
    }
}
