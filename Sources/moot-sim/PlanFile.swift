import ArgumentParser
import Foundation
import Simulation

extension Plan {
    /// Reads a plan from a file.
    init(file: String) throws {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ValidationError("\(file) cannot be read")
        }
        do {
            self = try JSONDecoder().decode(Plan.self, from: data)
        } catch {
            throw ValidationError("\(file) is no trace of a simulation: \(error)")
        }
        guard let flaw else { return }
        throw ValidationError("\(file) is no trace of a simulation: \(flaw)")
    }

    /// Writes the plan to a file, a step a line.
    func write(to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let lines = try steps.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        var head = self
        head.steps = []
        let text = String(decoding: try encoder.encode(head), as: UTF8.self)
            .replacing("\"steps\":[]", with: "\"steps\":[\n" + lines.joined(separator: ",\n") + "\n]")
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
    }
}
