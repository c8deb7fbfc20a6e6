import Foundation
import MembershipScenarios
import Testing

/// What the rules make of a line, as text.
func answer(_ line: String, isExplained: Bool = false) throws -> String {
    try answer(Array(line.utf8), isExplained: isExplained)
}

/// What the rules make of a line, as text; if it is explained, up to why each operation is void.
func answer(_ line: [UInt8], isExplained: Bool = false) throws -> String {
    let text = String(decoding: try Scenario(line: line).outcome().line(isExplained: isExplained), as: UTF8.self)
    guard isExplained else { return text }
    let end = try #require(text.range(of: ",\"grants\":{")).lowerBound
    return text[..<end] + "}"
}

/// What became of each grant, as text.
func accounts(_ line: String) throws -> String {
    let text = String(decoding: try Scenario(line: Array(line.utf8)).outcome().line(isExplained: true), as: UTF8.self)
    return String(text[try #require(text.range(of: "\"grants\":")).upperBound...].dropLast())
}

/// What is wrong with a line.
func complaint(about line: String) throws -> String {
    try #require(throws: MalformedScenario.self) { try Scenario(line: Array(line.utf8)) }.sentence
}

/// A line of a group that Frank created, with these operations besides.
func group(_ operations: String..., capacity: String = "256") -> String {
    let creation = #"{"id":"g","author":"F","type":"create","parents":[]}"#
    return #"{"capacity":\#(capacity),"ops":[\#(([creation] + operations).joined(separator: ","))]}"#
}

/// Frank adds people right after the creation.
func adding(_ people: String...) -> String {
    let list = people.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"id":"a","author":"F","type":"add","parents":["g"],"under":"g#0","targets":[\#(list)]}"#
}
