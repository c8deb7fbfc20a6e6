import Foundation
import Testing

/// The published cases, each a line with the result it must have.
enum PublicCases {
    /// A case: the line as it stands, what it is about, and the result as Moot writes it.
    struct Case: Sendable, CustomTestStringConvertible {
        let line: [UInt8]
        let label: String
        let expected: String
        var testDescription: String { label }
    }

    private struct Label: Decodable {
        let label: String
    }

    /// The cases that came with the rules, then those about what was decided later, about revoked devices, about holes
    /// in the rules and about content.
    static let all = ["", "-decided", "-devices", "-rules", "-content"].flatMap { cases(in: "membership\($0).ndjson") }

    private static func cases(in name: String) -> [Case] {
        do {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../Fixtures/\(name)").standardizedFileURL
            return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
                Case(
                    line: Array(line), label: try JSONDecoder().decode(Label.self, from: line).label,
                    expected: try expectation(in: String(decoding: line, as: UTF8.self)))
            }
        } catch {
            fatalError("the published cases cannot be read: \(error)")
        }
    }

    private struct NoExpectation: Error {}

    /// What the file says after `"expect":`, without the spaces it has between its tokens and we do not.
    private static func expectation(in line: String) throws -> String {
        guard let begin = line.range(of: "\"expect\": ")?.upperBound, line.hasSuffix("}") else { throw NoExpectation() }
        return line[begin...].dropLast()
            .replacingOccurrences(of: "\": ", with: "\":").replacingOccurrences(of: ", \"", with: ",\"")
    }
}
