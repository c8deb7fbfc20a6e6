import ArgumentParser
import MembershipScenarios

/// `moot membership resolve`
struct MembershipResolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Apply the membership rules to scenarios, one JSON object a line.",
        discussion: """
            Prints one result a line: members, acting admin, whether archived, who waits, fields, void operations, \
            and what counts of content where a line has any. A line that is no scenario is reported by its number, the \
            others are answered all the same, and the exit status is 1. It needs no running node.
            """)

    @Argument(help: "The file of scenarios; \"-\" or nothing reads them from standard input.")
    var file: String?

    @Flag(help: "Add for everything that is void or does not count the rule and the operation that decided.")
    var explain = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { _ in
            guard try resolve(InputFile(file)) else { throw ExitCode(ExitStatus.refused.rawValue) }
        }
    }

    /// Answers every line; whether all were scenarios.
    private func resolve(_ input: InputFile) throws -> Bool {
        let answers = Answers()
        var isWellFormed = true
        var lines = ScenarioLines {
            // Whoever asks line by line waits for the answer before they go on.
            if !input.isReady { answers.write() }
            return try input.read()
        }
        defer { answers.write() }
        while let line = try lines.next() {
            do throws(MalformedScenario) {
                answers.append(try Scenario(line: try line.bytes.get()).outcome().line(isExplained: explain))
            } catch {
                answers.write()
                let complaint = TerminalText.line("line \(line.number): \(error.sentence)")
                Terminal.write(Array("\(complaint)\n".utf8), to: .error)
                isWellFormed = false
            }
        }
        return isWellFormed
    }
}

/// Lines gathered so that thousands of them take few calls to print.
private final class Answers {
    private var bytes: [UInt8] = []

    func append(_ line: [UInt8]) {
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= 64 << 10 { write() }
    }

    func write() {
        Terminal.write(bytes, to: .output)
        bytes.removeAll(keepingCapacity: true)
    }
}
