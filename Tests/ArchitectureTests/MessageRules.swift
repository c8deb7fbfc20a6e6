extension Rule {
    /// How many kinds of peer messages one piece of code may name.
    static let maximumKinds = 9

    /// A kind of peer message says everything about itself in its own file. A list of kinds elsewhere would have to be
    /// changed for each new one.
    ///
    /// - Parameter names: how kinds are spelled: `.hello`, `HelloMessage`, `"hello"`.
    static func listsNoKinds(named names: Set<String>) -> Rule {
        Rule { file, _ in
            guard !file.path.hasPrefix("Replication/Messages/") else { return [] }
            let functions = file.functions.map { $0.line - 1..<$0.line - 1 + $0.length }
            let inFunctions = functions.reduce(into: Set<Int>()) { $0.formUnion($1) }
            // Outside functions, a list stands in one declaration.
            let others = file.lines.indices.filter { !inFunctions.contains($0) }
            let outer = functions.filter { piece in
                !functions.contains { $0 != piece && $0.contains(piece.lowerBound) }
            }
            return (outer.map(Array.init) + [others]).compactMap { piece in
                let found = piece.reduce(into: Set<String>()) { $0.formUnion(file.kinds(onLine: $1, among: names)) }
                guard found.count > maximumKinds, let first = piece.first else { return nil }
                return Finding(
                    line: first + 1, reason: "it names \(found.count) kinds of peer messages: \(found.sorted())")
            }
        }
    }

    /// How the kinds of messages in some files are spelled.
    static func kinds(in files: [SwiftSource]) -> Set<String> {
        var (names, families): (Set<String>, Set<String>) = ([], [])
        for file in files where file.path.hasPrefix("Replication/Messages/") {
            let name = file.path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
            guard name.hasSuffix("Message") else { continue }
            for (_, code) in file.code(naming: ["case"]) {
                guard let found = code.firstMatch(of: /^    case (\w+)/) else { continue }
                // What only has messages of a family in it is no kind.
                let isFamily = code.contains(/\w+Message\)/)
                if isFamily { families.insert(".\(found.output.1)") } else { names.insert(".\(found.output.1)") }
            }
            for (_, code) in file.code(naming: ["MessageKind"]) where code.contains(/enum \w+Message: MessageKind/) {
                let kind = String(name.dropLast("Message".count))
                names.formUnion([String(name), "\"\(kind.prefix(1).lowercased() + kind.dropFirst())\""])
            }
        }
        return names.subtracting(families)
    }
}

extension SwiftSource {
    /// Which of some spellings stand on a line: members and types in code, the rest in string literals.
    fileprivate func kinds(onLine index: Int, among names: Set<String>) -> [String] {
        let code = codeLines[index]
        let members = code.matches(of: /(?:^|[^\w?!)\]])(\.\w+)/).map { String($0.output.1) }
        let types = code.matches(of: /\w+Message(?!\w)/).map { String($0.output) }
        let literals = lines[index].matches(of: /"\w+"/).map { String($0.output) }
        return (members + types + literals).filter(names.contains)
    }
}
