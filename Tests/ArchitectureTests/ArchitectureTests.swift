import Foundation
import Testing

/// The invariants of ARCHITECTURE.md, checked in every Swift file under `Sources`.
@Suite("Architecture")
struct ArchitectureTests {
    @Test
    func `every folder of Sources has a row in the table`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        let unlisted = Set(folders).subtracting(Target.all.map(\.name))
            .subtracting([
                "CDBus", "CEpoll", "CJPEG", "COpenAPI", "CPNG", "CPage", "CPictures", "CProcess", "CQRencode",
                "CSodium", "CTOML",
            ])
        #expect(unlisted.isEmpty, "say in Target.all what these may import")
        #expect(
            !Set(folders).isDisjoint(with: Target.all.map(\.name)),
            "no target found: does this test look in the right place?")
    }

    @Test
    func `the cores a stranger can study stand on the standard library alone`() {
        #expect(Target.named("ReplicatedTypes")?.importable == [])
        #expect(Target.named("Membership")?.importable == ["ReplicatedTypes"])
    }

    @Test
    func `replication knows nothing of membership`() {
        #expect(Target.named("Replication")?.importable == ["Blobs", "Cryptography", "OperationLog", "Time"])
    }

    @Test
    func `a target imports only what the table allows`() throws {
        try expectNothing(from: .importsOnlyWhatTheTableAllows)
    }

    @Test
    func `the database, the web server and the cryptography each have one target`() throws {
        try expectNothing(from: .keepsLibrariesToTheirTarget)
    }

    @Test
    func `clients of the local API do not link the daemon`() throws {
        try expectNothing(from: .keepsTheDaemonOutOfClients)
        let ours = Set(Target.all.map(\.name))
        for client in Rule.clients {
            let target = try #require(Target.named(client))
            #expect(target.importable.intersection(ours).isSubset(of: Rule.clients), "\(client) stands on too much")
        }
    }

    @Test
    func `only StreamTransport opens sockets`() throws {
        try expectNothing(from: .opensSocketsOnlyInStreamTransport)
    }

    @Test
    func `no core reads a clock or draws randomness`() throws {
        try expectNothing(from: .coresNameNoClockAndNoRandomness)
    }

    @Test
    func `no error is turned into a crash`() throws {
        try expectNothing(from: .turnsNoErrorIntoACrash)
    }

    @Test
    func `where bytes of peers pass, every trap has a reason why no peer can spring it`() throws {
        try expectNothing(from: .listsEveryTrap)
        let found = try Self.files.get().map(\.1).reduce(into: [String: Set<String>]()) { found, file in
            found[file.path] = Set(file.traps.map(\.text))
        }
        for (path, reasons) in Traps.reasons {
            for text in reasons.keys {
                #expect(found[path]?.contains(text) == true, "\(path) has no such trap any more: \(text)")
            }
        }
    }

    @Test
    func `what the compiler cannot check is explained`() throws {
        try expectNothing(from: .justifiesUncheckedSendability)
    }

    @Test
    func `no file is longer than 600 lines`() throws {
        try expectNothing(from: .staysShort)
    }

    @Test
    func `no comment is wider than 120 characters`() throws {
        try expectNothing(from: .keepsCommentsNarrow)
    }

    @Test
    func `no type has more than 15 stored properties without a reason`() throws {
        let large = try Self.files.get().flatMap(\.1.types).filter { $0.properties > Rule.maximumProperties }
        let found = Dictionary(large.map { ($0.name, $0.properties) }, uniquingKeysWith: max)
        #expect(found == Rule.largeTypes.mapValues(\.count), "find the second job, or say how many there are now")
    }

    @Test
    func `no function has more than 60 lines without a reason`() throws {
        let long = try Self.files.get().map(\.1).flatMap { file in
            file.functions.filter { $0.length > Rule.maximumFunctionLength }
                .map { ("\(file.path) \($0.name)", $0.length) }
        }
        let found = Dictionary(long, uniquingKeysWith: max)
        #expect(Set(found.keys) == Set(Rule.longFunctions.keys), "find the second idea, or take the first off the list")
        for (name, length) in found {
            #expect(
                length <= Rule.longFunctions[name]?.count ?? Rule.maximumFunctionLength, "\(name) has \(length) lines")
        }
    }

    @Test
    func `the machines of a node do not name each other`() throws {
        try expectNothing(from: .keepsMachinesApart)
        #expect(Rule.machines.count >= 16, "ARCHITECTURE.md says which there are")
        let paths = try Set(Self.files.get().map(\.1.path))
        for (machine, folder) in Rule.machines {
            #expect(paths.contains("NodeCore/\(folder)/\(machine).swift"), "there is no \(machine) any more")
        }
    }

    @Test
    func `nobody but the kinds of peer messages keeps a list of them`() throws {
        let names = Rule.kinds(in: try Self.files.get().map(\.1))
        #expect(names.isSuperset(of: [".hello", "HelloMessage", "\"hello\"", ".chainsRequest", "\"readMarks\""]))
        try expectNothing(from: .listsNoKinds(named: names))
    }

    @Test
    func `nothing is left open`() throws {
        try expectNothing(from: .leavesNothingOpen)
    }

    private static let sources = Repository.root.appending(path: "Sources")

    private func expectNothing(from rule: Rule, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (target, file) in try Self.files.get() {
            for finding in rule.findings(file, target) {
                Issue.record("Sources/\(file.path):\(finding.line): \(finding.reason)", sourceLocation: sourceLocation)
            }
        }
    }

    /// Every Swift file below `Sources` with its target, read once for all tests.
    private static let files = Result {
        try Target.all.flatMap { target in try files(of: target).map { (target, $0) } }
    }

    private static func files(of target: Target) throws -> [SwiftSource] {
        let folder = sources.appending(path: target.name)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            return SwiftSource(path: "\(target.name)/\(path)", text: text)
        }
    }
}
