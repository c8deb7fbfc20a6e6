import Foundation

extension Rule {
    /// Stored properties of a type, at most: more are a sign that two machines live in one house.
    static let maximumProperties = 15

    /// The types that have more, with how many and why. Each has exactly so many, so that none grows unseen.
    static let largeTypes: [String: (count: Int, reason: String)] = [
        "NodeCore": (23, "one property for each machine, and what a transition needs"),
        "Node": (30, "keys, files of clients and the server's needs are to move out of the daemon"),
        "Host": (32, "a simulated machine: its disk, clock, wires and what checkers know of it"),
        "MessageDescription": (26, "the fields of the API: one for each key of the JSON"),
        "ConversationDescription": (26, "the fields of the API: one for each key of the JSON"),
        "StatusDescription": (28, "the fields of the API: one for each key of the JSON"),
        "History": (18, "the columns of the membership lane, which rules read side by side"),
        "OperationRecord": (17, "the fields of a scenario: one for each key of the JSON"),
        "Report": (17, "the fields of the benchmark's JSON: one for each part that it measures"),
        "CrowdLine": (16, "the fields of a line of JSON: one for each key"),
    ]

    /// Lines of a function, at most.
    static let maximumFunctionLength = 60

    /// The functions that are longer, by file and name, with how long they may be and why.
    static let longFunctions: [String: (count: Int, reason: String)] = [
        "Replication/Replicator+Events.swift handle": (94, "a case for each event"),
        "moot-bench/Encryption/RemovalCost.swift measure": (78, "one measurement from beginning to end"),
        "moot-bench/Nodes/History.swift write": (64, "one measurement from beginning to end"),
        "Simulation/World/World+Steps.swift run": (65, "a case for each thing that people do"),
    ]

    /// The machines of a node, by the folder of `NodeCore` in which each has its files, as the table of ARCHITECTURE.md
    /// names them.
    static let machines: [String: String] = {
        let text = (try? String(contentsOf: Repository.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)) ?? ""
        let table = text.matches(of: /(?m)^\| `(?<machine>\w+)`[^|]* \| .* \| `(?<folder>\w+)` \|$/)
            .filter { text[..<$0.range.lowerBound].contains("## The machines of a node") }
        return Dictionary(table.map { (String($0.machine), String($0.folder)) }) { first, _ in first }
    }()

    /// Of which machine another is a part, and is told by it what happens.
    private static let parts = ["PrivateExchange": "OwnDevices"]

    /// What machines want of each other goes through `NodeCore`.
    static var keepsMachinesApart: Rule {
        Rule { file, _ in
            let name = file.path.split(separator: "/").last ?? ""
            guard let own = machines.keys.first(where: name.hasPrefix) else { return [] }
            let others = machines.keys.filter { $0 != own && parts[$0] != own }
            return file.code(naming: others + ["NodeCore"]).compactMap { number, code in
                // Its keys are named in it, and are a value.
                guard !code.contains("NodeCore.Keys") else { return nil }
                return Finding(line: number, reason: "\(own) names another machine, or the node it is part of")
            }
        }
    }
}

extension SwiftSource {
    /// A type that the file declares.
    struct TypeDeclaration: Equatable {
        /// With the names of the types around it.
        let name: String
        /// Where it begins, counted from 1.
        let line: Int
        /// Its stored properties, but for static ones.
        let properties: Int
    }

    /// A function that the file declares.
    struct FunctionDeclaration: Equatable {
        let name: String
        /// Where it begins, counted from 1.
        let line: Int
        /// Lines from its first to its last.
        let length: Int
    }

    /// The structures, classes and actors.
    var types: [TypeDeclaration] {
        var found: [TypeDeclaration] = []
        var open: [(name: String, depth: Int, line: Int, counts: Bool, properties: Int)] = []
        var depth = 0
        // A regular expression costs: it is tried only where a keyword stands.
        let typeLines = numbers(naming: ["struct", "class", "actor", "enum", "extension", "protocol"])
        let propertyLines = numbers(naming: ["let", "var"])
        for (index, line) in codeLines.enumerated() {
            if typeLines.contains(index), line.contains("{"), let type = line.firstMatch(of: Self.typeDeclaration) {
                let counts = ["struct", "class", "actor"].contains(String(type.output.kind))
                open.append((String(type.output.name), depth, index + 1, counts, 0))
            } else if let last = open.indices.last, open[last].counts, open[last].depth + 1 == depth,
                propertyLines.contains(index),
                let property = line.firstMatch(of: Self.property), Self.isStored(property.output.rest)
            {
                open[last].properties += property.output.names.count { $0 == "," } + 1
            }
            for byte in line.utf8 {
                if byte == UInt8(ascii: "{") { depth += 1 }
                guard byte == UInt8(ascii: "}") else { continue }
                depth -= 1
                guard let type = open.last, type.depth == depth else { continue }
                if type.counts {
                    let name = open.map(\.name).joined(separator: ".")
                    found.append(TypeDeclaration(name: name, line: type.line, properties: type.properties))
                }
                open.removeLast()
            }
        }
        return found
    }

    /// The functions and initializers.
    var functions: [FunctionDeclaration] {
        var found: [FunctionDeclaration] = []
        var open: [(name: String, line: Int, depth: Int)] = []
        /// Declared, and its body has not begun.
        var declared: (name: String, line: Int)?
        var depth = 0
        let lines = numbers(naming: ["func", "init"])
        let propertyLines = numbers(naming: ["let", "var"])
        for (index, line) in codeLines.enumerated() {
            // What a protocol only asks for has no body.
            if propertyLines.contains(index) { declared = nil }
            if lines.contains(index), let function = line.firstMatch(of: Self.function),
                Self.isDeclaration(function.output)
            {
                declared = (String(function.output.name), index + 1)
            }
            for byte in line.utf8 {
                if byte == UInt8(ascii: "{") {
                    if let (name, line) = declared { open.append((name, line, depth)) }
                    declared = nil
                    depth += 1
                }
                guard byte == UInt8(ascii: "}") else { continue }
                depth -= 1
                guard let function = open.last, function.depth == depth else { continue }
                found.append(
                    FunctionDeclaration(
                        name: function.name, line: function.line, length: index + 2 - function.line))
                open.removeLast()
            }
        }
        return found
    }

    /// The indices of the lines on which one of the words stands.
    private func numbers(naming words: [String]) -> Set<Int> { Set(code(naming: words).map { $0.number - 1 }) }

    /// Whether what looks like a function is declared, and not called.
    private static func isDeclaration(_ match: (Substring, name: Substring)) -> Bool {
        match.0.contains("func ") || match.name == "init"
    }

    /// Whether what follows the name of a property gives it a value or none: a brace alone computes one.
    private static func isStored(_ rest: Substring) -> Bool {
        guard let brace = rest.firstIndex(of: "{") else { return true }
        return rest[..<brace].contains("=")
    }

    private static var typeDeclaration: Regex<(Substring, kind: Substring, name: Substring)> {
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated)\s+)*(?<kind>struct|class|actor|enum|extension|protocol)\s+(?<name>[\w.]+)/
    }

    private static var property: Regex<(Substring, names: Substring, rest: Substring)> {
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private|lazy|weak|unowned|nonisolated)(?:\([a-z]+\))?\s+)*(?:let|var)\s+(?<names>\([^)]*\)|\w+)(?<rest>.*)$/
    }

    private static var function: Regex<(Substring, name: Substring)> {
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private|final|static|mutating|nonisolated|override|convenience|required)\s+)*(?:func\s+)?(?<name>\w+)[?!]?(?:<|\()/
    }
}
