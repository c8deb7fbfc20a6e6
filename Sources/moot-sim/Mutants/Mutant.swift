import ArgumentParser
import Foundation
import Simulation

/// A bug that can be planted into a copy of the sources, to see whether a simulation notices it.
///
/// Its file, `Tests/Mutants/NAME.mutant`, begins with what is wrong, in a sentence. Lines of a word and its value
/// follow: `file`, then if need be `profiles`, `nodes`, `operations`, `devices`, `siege`, `survives`. A line `---
/// before` is followed by a text of that file, after a line `--- after` what takes its place, in which `PLANTED` means
/// "this bug is on".
struct Mutant: Sendable {
    /// How it is called on the command line.
    let name: String
    /// What is wrong, in a sentence.
    let title: String
    /// The file it changes, from the root of the package.
    let file: String
    /// The text that occurs there once.
    let before: String
    /// The text that replaces it in the copy.
    let after: String
    /// Where it is likely to be noticed; seeds take turns with them.
    let profiles: [Profile]
    /// How many nodes a network has in which it is looked for.
    let nodes: Int
    /// About how many operations people write there.
    let operations: Int
    /// How many of the nodes become further devices of others' users; nil for what the seed chooses.
    let devices: Int?
    /// What liars besiege the others with; nil for what the seed chooses.
    let siege: Step.Kind?
    /// Why no simulation is expected to notice it; nil if one must.
    let excuse: String?

    /// Reads the file of a mutant.
    init(name: String, text: String) throws {
        func wrong(_ what: String) -> ValidationError { ValidationError("\(name): \(what)") }
        let parts = text.components(separatedBy: "\n--- before\n")
        let texts = parts.last?.components(separatedBy: "\n--- after\n") ?? []
        guard parts.count == 2, texts.count == 2 else { throw wrong("it needs one '--- before' and one '--- after'") }
        let lines = parts[0].split(separator: "\n").map(String.init)
        guard let title = lines.first else { throw wrong("it does not say what is wrong") }
        var settings: [String: String] = [:]
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2, Self.words.contains(words[0]) else { throw wrong("'\(line)' means nothing here") }
            settings[words[0]] = words[1]
        }
        guard let file = settings["file"] else { throw wrong("it names no file") }
        self.name = name
        self.title = title
        self.file = file
        before = texts[0]
        after = texts[1].hasSuffix("\n") ? String(texts[1].dropLast()) : texts[1]
        guard !before.isEmpty, after.contains(Self.mark) else { throw wrong("it replaces nothing, or is always on") }
        let profiles = (settings["profiles"] ?? "").split(separator: " ").map { Profile(rawValue: String($0)) }
        guard !profiles.contains(nil) else { throw wrong("there is no such profile") }
        self.profiles = profiles.isEmpty ? Profile.taken : profiles.compactMap(\.self)
        nodes = settings["nodes"].flatMap { Int($0) } ?? 5
        operations = settings["operations"].flatMap { Int($0) } ?? 150
        devices = settings["devices"].flatMap { Int($0) }
        siege = settings["siege"].flatMap(Step.Kind.init)
        guard siege?.isSiege ?? (settings["siege"] == nil) else { throw wrong("there is no such siege") }
        excuse = settings["survives"]
    }

    /// The word in the text for "this bug is on".
    private static let mark = "PLANTED"
    private static let words: Set = ["file", "profiles", "nodes", "operations", "devices", "siege", "survives"]

    /// All mutants in a folder, by name.
    static func all(in folder: URL) throws -> [Mutant] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "mutant" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { file in
                let name = file.deletingPathExtension().lastPathComponent
                return try Mutant(name: name, text: String(contentsOf: file, encoding: .utf8))
            }
    }

    /// Plants the bug into the text of its file.
    ///
    /// - Throws: `ValidationError` unless the text before occurs exactly once: else the bug could silently rot.
    func plant(into source: String) throws -> String {
        let parts = source.components(separatedBy: before)
        guard parts.count == 2 else {
            throw ValidationError("\(name): the text before occurs \(parts.count - 1) times in \(file), not once")
        }
        return parts.joined(separator: after.replacingOccurrences(of: Self.mark, with: "planted(\"\(name)\")"))
    }

    /// The target whose sources it changes.
    var target: String { file.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
}
