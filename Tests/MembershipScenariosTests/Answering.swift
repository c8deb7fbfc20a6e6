import MembershipScenarios
import Testing

/// What the rules make of a line, as text.
func answer(_ line: String, isExplained: Bool = false) throws -> String {
    try answer(Array(line.utf8), isExplained: isExplained)
}

/// What the rules make of a line, as text.
func answer(_ line: [UInt8], isExplained: Bool = false) throws -> String {
    String(decoding: try Scenario(line: line).outcome().line(isExplained: isExplained), as: UTF8.self)
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
