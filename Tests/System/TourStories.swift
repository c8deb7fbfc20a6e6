import Foundation
import PhotoFixtures
import Testing

extension Stories {
    /// What the README shows, typed as it stands there.
    @Suite("The README's tour")
    struct Tour {
        @Test
        func `whoever types what the README shows sees what it shows`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice, bob])
            await expectFullMesh([alice, bob, carol])

            let scratch = try Scratch()
            for name in ["sails.jpg", "harbour.jpg", "me.jpg"] {
                try Data(try JPEGFile.file(width: 300, height: 200) { x, _ in x < 100 ? .red : .blue })
                    .write(to: URL(filePath: scratch.file(name)))
            }
            try Data(repeating: 0x25, count: 84_000).write(to: URL(filePath: scratch.file("tides.pdf")))
            var terminal = Terminal(node: alice, folder: scratch.path)
            let steps = try ReadmeStep.all(under: ["A tour", "Keep order, and be told"])
            try #require(steps.count > 15)
            for step in steps {
                try await live(step.command, around: terminal, bob, carol, dave)
                try await terminal.perform(step)
            }
            for node in [alice, bob, carol] { await node.stop() }
        }

        /// What happens elsewhere before a command, as the README tells it.
        private func live(
            _ command: String, around terminal: Terminal, _ bob: TestNode, _ carol: TestNode, _ dave: TestNode
        ) async throws {
            let alice = terminal.node
            // Until he is invited he is a stranger, and known while he is there.
            if await dave.isRunning { await dave.stop() }
            switch command {
            case "moot read Ship":
                await eventually("Bob has the group") { try await bob.texts(in: ship) == ["Welcome aboard!"] }
                try await bob.run("send", ship, "Engines are warm.")
                await eventually("it arrives") { try await alice.texts(in: ship).count == 2 }
            case "moot verify":
                await expectEqualDigests([alice, bob, carol])
                await eventually("Alice knows that the others are as far") {
                    try await alice.run("verify").contains("Bob equal, Carol equal")
                }
            case let command where command.hasPrefix("moot receipts"):
                try await bob.run("mark-read", ship)
                await eventually("Alice knows that Bob read it") {
                    try await alice.run("read", ship, "--json").contains(#""phase":"read""#)
                }
            case "moot invite Ship Dave":
                try await dave.start(peers: [alice])
                await eventually("Alice has met Dave") { try await alice.run("people").contains("Dave") }
            case "moot archive Boat":
                try await alice.run("create", "Boat", "Bob", "Carol")
            case "moot files Ship --kind link":
                try await bob.run("send", ship, "https://example.org/tides")
                await eventually("it arrives") { try await alice.texts(in: ship).contains("https://example.org/tides") }
            case let command where command.hasPrefix("moot people photo"):
                try await bob.run("profile", "set", "--photo", "\(terminal.folder)/me.jpg")
                await eventually("Alice knows") { try await alice.run("people", "--json").contains("Bob.jpg") }
            case "moot list":
                await eventually("Alice knows that others have everything") {
                    try await alice.run("list").contains("synced")
                }
            default: break
            }
        }
    }
}

/// A terminal on somebody's host.
private struct Terminal {
    let node: TestNode
    /// Where its files lie.
    let folder: String
    /// The ids that the README made up, and those that they stand for here.
    private var ids: [(shown: String, real: String)] = []

    init(node: TestNode, folder: String) {
        self.node = node
        self.folder = folder
    }

    /// Types a command and expects what the README shows below it.
    mutating func perform(_ step: ReadmeStep) async throws {
        let command = ids.reduce(step.command) { $0.replacing($1.shown, with: $1.real) }
        let programs = URL(filePath: TestNode.moot).deletingLastPathComponent().path
        let outcome = try await Host.thisMachine.run(
            ["bash", "-c", "PATH=\"$PROGRAMS:$PATH\"; cd \"$FOLDER\"; \(command) 2>&1"],
            environment: ["PROGRAMS": programs, "FOLDER": folder, "MOOT_HOME": node.home])
        #expect(outcome.status == 0, "\(command): \(outcome.output)")
        guard !step.output.isEmpty else { return }
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.map(Self.unspecific) == step.output.map(Self.unspecific), "\(command)")
        for (shown, real) in zip(step.output, lines) {
            guard let shownID = shown.prefixMatch(of: /[0-9a-f]{8}/), let realID = real.prefixMatch(of: /[0-9a-f]{12}/)
            else { continue }
            ids.append((String(shownID.output), String(realID.output)))
        }
    }

    /// A line without what differs from run to run: ids, times, sizes and how wide the columns are.
    private static func unspecific(_ line: String) -> String {
        line.replacing(/moot:invite:[A-Z2-7…]+/, with: "CODE").replacing(/\d{4}(-\d\d){2} \d\d:\d\d/, with: "DATE")
            .replacing(/[0-9a-f]{8,}/, with: "ID")
            .replacing(/[0-9.]+ (B|KiB|MiB)/, with: "SIZE").replacing(/\[\d\d:\d\d\]/, with: "[TIME]")
            .replacing(#/ +/#, with: " ")
    }
}

/// A command that the README shows, and the lines it shows below; none where it shows none.
private struct ReadmeStep {
    var command: String
    var output: [String]

    /// The commands in the consoles of some sections.
    static func all(under titles: [String]) throws -> [ReadmeStep] {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        var steps: [ReadmeStep] = []
        var (isWanted, isConsole) = (false, false)
        for line in try String(contentsOf: readme, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if !isConsole {
                if line.hasPrefix("## ") { isWanted = titles.contains(String(line.dropFirst(3))) }
            } else if isWanted {
                if line.hasPrefix("$ ") {
                    let command = line.dropFirst(2).replacing(#/ {2,}#.*/#, with: "")
                    steps.append(ReadmeStep(command: String(command), output: []))
                } else if !steps.isEmpty {
                    steps[steps.count - 1].output.append(String(line))
                }
            }
        }
        return steps
    }
}
