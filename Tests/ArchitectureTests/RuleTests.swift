import Testing

/// A rule that never found anything is not trusted: each is shown one file it refuses and one it accepts.
@Suite("Rules of the architecture")
struct RuleTests {
    @Test(arguments: [
        "import Foundation", "public import Glibc", "@preconcurrency import Dispatch", "import struct Foundation.Date",
        "#if canImport(Glibc)\nimport Glibc\n#endif", "import OperationLog",
    ])
    func `an import outside the table is found`(text: String) throws {
        #expect(try findings(.importsOnlyWhatTheTableAllows, in: text, of: "Membership").count == 1)
    }

    @Test(arguments: [
        "import ReplicatedTypes", "// import Foundation", "let text = \"import Foundation\"", "/*\nimport Glibc\n*/",
    ])
    func `an import inside the table, a comment and a string are accepted`(text: String) throws {
        #expect(try findings(.importsOnlyWhatTheTableAllows, in: text, of: "Membership").isEmpty)
    }

    @Test
    func `what a target stands on may be imported through it, the libraries under that may not`() throws {
        let rule = Rule.importsOnlyWhatTheTableAllows
        #expect(try findings(rule, in: "import Cryptography", of: "Replication").isEmpty)
        #expect(try findings(rule, in: "import CSodium", of: "Replication").count == 1)
        #expect(try findings(rule, in: "import Membership", of: "Replication").count == 1)
    }

    @Test(arguments: [
        ("import GRDB", "Node"), ("import Hummingbird", "moot"), ("import NIOPosix", "StreamTransport"),
        ("import CSodium", "OperationLog"), ("import CPictures", "moot-photo"), ("import CProcess", "Node"),
    ])
    func `a library outside its target is found`(text: String, target: String) throws {
        #expect(try findings(.keepsLibrariesToTheirTarget, in: text, of: target).count == 1)
    }

    @Test(arguments: [
        ("import GRDB", "SQLiteStore"), ("import NIOCore", "LocalAPIClient"), ("import CSodium", "Cryptography"),
    ])
    func `a library inside its target is accepted`(text: String, target: String) throws {
        #expect(try findings(.keepsLibrariesToTheirTarget, in: text, of: target).isEmpty)
    }

    @Test(arguments: ["import Node", "import NodeCore", "import LocalAPIServer", "import OperationLog"])
    func `the daemon in a client of the local API is found`(text: String) throws {
        for client in ["LocalAPIClient", "LocalAPIModel"] {
            #expect(try findings(.keepsTheDaemonOutOfClients, in: text, of: client).count == 1)
            #expect(try findings(.importsOnlyWhatTheTableAllows, in: text, of: client).count == 1)
        }
        #expect(try findings(.keepsTheDaemonOutOfClients, in: text, of: "moot").isEmpty)
    }

    @Test(arguments: ["import LocalAPIModel", "import NIOCore", "import Synchronization"])
    func `what a client of the local API is made of is accepted`(text: String) throws {
        #expect(try findings(.keepsTheDaemonOutOfClients, in: text, of: "LocalAPIClient").isEmpty)
        #expect(try findings(.importsOnlyWhatTheTableAllows, in: text, of: "LocalAPIClient").isEmpty)
    }

    @Test
    func `stored properties are counted, computed and static ones are not`() throws {
        let stored = (1...14).map { "    var p\($0): Int" }.joined(separator: "\n")
        let text = """
            struct Outer {
            \(stored)
                private(set) var kept = 1 { didSet { } }
                static var shared = 1
                var computed: Int { kept }
                struct Inner {
                    let (one, two): (Int, Int)
                    func f() { let local = 1 }
                }
            """
        let file = SwiftSource(path: "NodeCore/Outer.swift", text: text + "\n}")
        #expect(file.types.map(\.name) == ["Outer.Inner", "Outer"])
        #expect(file.types.map(\.properties) == [2, 15])
        let more = SwiftSource(path: "NodeCore/Outer.swift", text: text + "\n    let more = { 1 }\n}")
        #expect(more.types.map(\.properties) == [2, 16])
    }

    @Test
    func `the lines of functions are counted`() {
        let body = { (lines: Int) in
            "func f<T>(_ a: T) {\n" + String(repeating: "    g(a)\n", count: lines - 2) + "}\n"
        }
        let lengths = { (text: String) in SwiftSource(path: "Example.swift", text: text).functions.map(\.length) }
        #expect(lengths(body(60)) == [60])
        #expect(lengths("init() {\n" + body(61) + "}") == [61, 63])
        #expect(lengths("protocol P {\n    func f()\n    var v: Int { get }\n}") == [])
    }

    @Test
    func `a machine that names another is found`() throws {
        let file = { SwiftSource(path: "NodeCore/Typing/TypingExchange+X.swift", text: $0) }
        let target = try #require(Target.named("NodeCore"))
        let rule = Rule.keepsMachinesApart
        #expect(rule.findings(file("let a: ReceiptExchange"), target).count == 1)
        #expect(rule.findings(file("let a: NodeCore"), target).count == 1)
        #expect(rule.findings(file("let a: NodeCore.Keys // ReceiptExchange"), target).isEmpty)
    }

    @Test(arguments: ["let s = socket(AF_INET, 0, 0)", "Glibc.socket(a, b, c)", "getaddrinfo(host, nil, nil, &list)"])
    func `a socket outside StreamTransport is found`(text: String) throws {
        #expect(try findings(.opensSocketsOnlyInStreamTransport, in: text, of: "Node").count == 1)
        #expect(try findings(.opensSocketsOnlyInStreamTransport, in: text, of: "StreamTransport").isEmpty)
    }

    @Test(arguments: [
        "connection.socket()", "let socket = path", "bindSocket(to: path)", "/// Opens a socket (a stream one).",
    ])
    func `a name that only contains the word socket is accepted`(text: String) throws {
        #expect(try findings(.opensSocketsOnlyInStreamTransport, in: text, of: "Node").isEmpty)
    }

    @Test(arguments: [
        "let now = Date()", "Date.now", "let clock = ContinuousClock()", "try await Task.sleep(for: .seconds(1))",
        "var g = SystemRandomNumberGenerator()", "let n = Int.random(in: 0..<10)", "list.shuffled()",
        "list.randomElement()", "UUID()", "value.hashValue", "\"\\(Int.random(in: 0..<(1 + 2)))\"",
    ])
    func `a clock or randomness in a core is found, and accepted in a shell`(text: String) throws {
        #expect(try findings(.coresNameNoClockAndNoRandomness, in: text, of: "Replication").count == 1)
        #expect(try findings(.coresNameNoClockAndNoRandomness, in: text, of: "Node").isEmpty)
    }

    @Test(arguments: [
        "Int.random(in: 0..<10, using: &random)", "list.shuffled(\n    using: &random\n)", "/// Never Date() here.",
        "let claimedDate = time", "let text = \"Date()\"", "let text = #\"a \"quoted\" Date()\"#",
        "let text = \"\"\"\n    Date()\n    \"\"\"",
    ])
    func `directed randomness, comments and strings in a core are accepted`(text: String) throws {
        #expect(try findings(.coresNameNoClockAndNoRandomness, in: text, of: "Replication").isEmpty)
    }

    @Test(arguments: [
        (["case .a", "case .b", "case .c"], 8), (["\"a\": 1,", "\"b\": 2,", "\"c\": 3,"], 8),
        (["AMessage.self,", "BMessage.self,"], 9),
    ])
    func `a list of ten kinds of messages is found, and one of nine accepted`(more: [String], count: Int) throws {
        let few = (1...9).map { "case .kind\($0): break" }
        let names = Set(
            (1...9).map { ".kind\($0)" } + [".a", ".b", ".c", "\"a\"", "\"b\"", "\"c\"", "AMessage", "BMessage"])
        let rule = Rule.listsNoKinds(named: names)
        func text(_ lines: [String]) -> String { (["func f() {"] + lines + ["}"]).joined(separator: "\n") }
        #expect(try findings(rule, in: text(few), of: "NodeCore").isEmpty)
        #expect(try findings(rule, in: text(few.prefix(count) + more), of: "NodeCore").count == 1)
        #expect(try findings(rule, in: (few.prefix(count) + more).joined(separator: "\n"), of: "NodeCore").count == 1)
    }

    @Test
    func `an error turned into a crash is found`() throws {
        #expect(
            try findings(.turnsNoErrorIntoACrash, in: "let a = try! f()", of: "Node") == [
                Rule.Finding(line: 1, reason: "`try!` turns an error into a crash")
            ])
        #expect(try findings(.turnsNoErrorIntoACrash, in: "let a = try f() // not try!", of: "Node").isEmpty)
    }

    @Test(arguments: [
        "precondition(list.count <= limit, \"a list keeps its limit\")", "fatalError()",
        "let all = Dictionary(uniqueKeysWithValues: entries)", "precondition(\n    a,\n    \"b\")",
    ])
    func `a trap without a reason is found where bytes of peers pass`(text: String) throws {
        #expect(try findings(.listsEveryTrap, in: text, of: "Replication").count == 1)
        #expect(try findings(.listsEveryTrap, in: text, of: "Simulation").isEmpty)
        #expect(try findings(.listsEveryTrap, in: "// precondition(a)", of: "Replication").isEmpty)
    }

    @Test
    func `unchecked sendability needs a reason and the right target`() throws {
        let bare = "final class A: @unchecked Sendable {}"
        let explained =
            "// Safe: only touched on its queue.\n@available(*, noasync)\nfinal class A: @unchecked Sendable {}"
        let rule = Rule.justifiesUncheckedSendability
        #expect(try findings(rule, in: bare, of: "StreamTransport").map(\.line) == [1])
        #expect(try findings(rule, in: "import CSodium\n\n" + bare, of: "StreamTransport").map(\.line) == [3])
        #expect(try findings(rule, in: explained, of: "StreamTransport").isEmpty)
        #expect(try findings(rule, in: explained, of: "Node").map(\.line) == [3])
    }

    @Test
    func `a file of 601 lines is found, one of 600 is accepted`() throws {
        let line = "let a = 1\n"
        #expect(try findings(.staysShort, in: String(repeating: line, count: 601), of: "Node").count == 1)
        #expect(try findings(.staysShort, in: String(repeating: line, count: 600), of: "Node").isEmpty)
    }

    @Test
    func `a comment of 121 characters is found, one of 120 and code are accepted`() throws {
        let rule = Rule.keepsCommentsNarrow
        let comment = "    // " + String(repeating: "é", count: 113)
        #expect(try findings(rule, in: "\n" + comment + "e", of: "Node").map(\.line) == [2])
        #expect(try findings(rule, in: comment, of: "Node").isEmpty)
        #expect(try findings(rule, in: "f() // " + String(repeating: "e", count: 120), of: "Node").isEmpty)
    }

    @Test
    func `work left open is found`() throws {
        // Written in two parts, so that a search of the whole project for such words finds only real ones.
        #expect(try findings(.leavesNothingOpen, in: "\n// TO" + "DO: later", of: "Node").map(\.line) == [2])
        #expect(try findings(.leavesNothingOpen, in: "let todoList = 1", of: "Node").isEmpty)
    }

    private func findings(_ rule: Rule, in text: String, of name: String) throws -> [Rule.Finding] {
        let target = try #require(Target.named(name))
        return rule.findings(SwiftSource(path: "Example.swift", text: text), target)
    }
}
