import FoundationEssentials
import MembershipScenarios

extension Decoder {
    /// Lines of JSON that ask what the membership rules make of them, answered as `moot membership resolve` does.
    static let scenario = Decoder("scenario") { bytes in
        let lines = try lines(of: bytes, inPiecesOf: max(1, bytes.count))
        try promise("lines do not depend on how they arrive", try lines == Self.lines(of: bytes, inPiecesOf: 3))
        var outcome = Outcome.accepted
        for line in lines {
            let scenario: Scenario
            do throws(MalformedScenario) {
                scenario = try Scenario(line: try line.get())
            } catch {
                try promise("a refusal says why", !error.sentence.isEmpty)
                if outcome == .accepted { outcome = .refused(word(for: error)) }
                continue
            }
            try check(answer: scenario.outcome().line(isExplained: true))
        }
        return outcome
    }

    /// Short, so that the fuzzer reaches it.
    private static let maximumLineBytes = 2_048

    private static func lines(
        of bytes: [UInt8], inPiecesOf size: Int
    ) throws -> [Result<[UInt8], MalformedScenario>] {
        var rest = bytes[...]
        var lines = ScenarioLines(maximumBytes: maximumLineBytes) {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        var found: [Result<[UInt8], MalformedScenario>] = []
        while let line = try lines.next() { found.append(line.bytes) }
        return found
    }

    /// What an answer has, as JSON.
    private struct Answer: Decodable {
        let members: [String: String]
        let acting: String?
        let archived: Bool
        let void: [String]
    }

    private static func check(answer: [UInt8]) throws {
        try promise("an answer is one line", !answer.contains(UInt8(ascii: "\n")))
        do {
            _ = try JSONDecoder().decode(Answer.self, from: Data(answer))
        } catch {
            throw BrokenPromise(description: "an answer is JSON")
        }
    }

    private static func word(for error: MalformedScenario) -> String {
        switch error {
        case .tooLong: "too_long"
        case .notUnicode: "not_unicode"
        case .notJSON: "not_json"
        case .wrongKind: "wrong_kind"
        case .missingField: "missing_field"
        case .incomplete: "incomplete"
        case .unknownType: "unknown_type"
        case .unknownRole: "unknown_role"
        case .negativeCapacity: "negative_capacity"
        case .repeatedOperation: "repeated_operation"
        case .missingParent: "missing_parent"
        case .circularParents: "circular_parents"
        case .noCreation: "no_creation"
        case .rootIsNoCreation: "root_is_no_creation"
        case .severalRoots: "several_roots"
        }
    }
}
