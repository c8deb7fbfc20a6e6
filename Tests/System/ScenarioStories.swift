import Foundation
import Testing

extension Stories {
    @Suite("Scenarios of membership")
    struct Scenarios {
        private let duel = #"""
            {"ops":[{"id":"r","author":"A","type":"remove","parents":["p"],"under":"p#1","target":"F"},{"id":"g","author":"F","type":"create","parents":[]},{"id":"a","author":"F","type":"add","parents":["g"],"under":"g#0","targets":["A"]},{"id":"p","author":"F","type":"promote","parents":["a"],"under":"g#0","target":"A","role":"admin"}]}
            """#
        private let result =
            #"{"members":{"A":"admin","F":"founder"},"acting":null,"archived":false,"waitlist":[],"fields":{},"void":["r"]"#

        private func resolve(_ arguments: String..., input: String? = nil) async throws -> Program.Outcome {
            // Nothing is there: it needs no node and no home.
            try await Host.thisMachine.run(
                [TestNode.moot, "membership", "resolve"] + arguments, environment: ["MOOT_HOME": "/nonexistent"],
                input: input)
        }

        @Test
        func `are answered one a line without a node`() async throws {
            let outcome = try await resolve(input: "\(duel)\n\n\(duel)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output == "\(result)}\n\(result)}\n")
            #expect(outcome.errors.isEmpty)
        }

        @Test
        func `are read from a file, and explained`() async throws {
            let scratch = try Scratch()
            let file = scratch.file("duel.ndjson")
            try Data(duel.utf8).write(to: URL(filePath: file))
            let outcome = try await resolve(file, "--explain")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let reason = "\(result),\"why\":{\"r\":{\"rule\":\"outranked\",\"by\":\"g\"}},\"grants\":{\"A\":["
            #expect(outcome.output.hasPrefix(reason), "\(outcome.output)")
        }

        @Test
        func `that are malformed are told by their line, and the others are answered`() async throws {
            let outcome = try await resolve(input: "\(duel)\n{\n\n\(duel)\n{\"ops\":[]}\n")
            #expect(outcome.status == 1)
            #expect(outcome.output == "\(result)}\n\(result)}\n")
            #expect(
                outcome.errors == "line 2: the line is not JSON\nline 5: no operation creates the group\n")
        }

        @Test
        func `longer than 16 MiB are malformed and nothing worse`() async throws {
            let long = String(repeating: "[", count: (16 << 20) + 1)
            let outcome = try await resolve(input: "\(long)\n\(duel)\n")
            #expect(outcome.status == 1)
            #expect(outcome.output == "\(result)}\n")
            #expect(outcome.errors == "line 1: the line is longer than 16 MiB\n")
        }

        @Test(arguments: [("/nonexistent", "No such file or directory"), ("/", "Is a directory")])
        func `in no file are an error that names it`(path: String, reason: String) async throws {
            let outcome = try await resolve(path)
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("Cannot read \(path): \(reason)"), "\(outcome.errors)")
        }

        @Test
        func `stop in silence when nobody reads on`() async throws {
            let scratch = try Scratch()
            let file = scratch.file("many.ndjson")
            try Data(String(repeating: duel + "\n", count: 5_000).utf8).write(to: URL(filePath: file))
            let outcome = try await Host.thisMachine.run(
                ["bash", "-c", "\"$0\" membership resolve \"$1\" | head -1", TestNode.moot, file])
            #expect(outcome.output == "\(result)}\n")
            #expect(outcome.errors.isEmpty)
        }
    }
}
