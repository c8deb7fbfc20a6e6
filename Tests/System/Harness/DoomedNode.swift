import Foundation
import GRDB
import Testing
import Waiting

/// A node that loses its power again and again, the peer it talks to, and all that it promised in between.
actor DoomedNode {
    /// What the node is doing when its power is cut.
    enum Occupation: Sendable {
        /// It starts, and stops as soon as it is ready.
        case start
        /// It sends until it dies.
        case write
        /// It sends a little and stops in peace.
        case stop
    }

    private struct SentAnswer: Decodable {
        let ids: [String]
    }

    private struct DescriptionAnswer: Decodable {
        let description: String?
    }

    nonisolated let node: TestNode
    private let peer: TestNode
    private let library: Interposed
    private let connection: LocalConnection
    private var random: SeededGenerator
    private var conversation: String?
    private var user: String?
    /// The texts that the node reported as sent, and those that it was asked to send.
    private var acknowledged: Set<String> = []
    private var attempted: Set<String> = []
    /// The descriptions that the conversation may have: the one reported as set last, then those asked for since.
    private var descriptions: [String?] = [nil]

    init(_ name: String, peer: TestNode, library: Interposed, seed: UInt64) throws {
        node = try TestNode(name)
        self.peer = peer
        self.library = library
        connection = LocalConnection(home: node.home)
        random = SeededGenerator(seed: seed)
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    }

    // MARK: - Life

    /// Lets the node live until its power is cut, or until it has stopped in peace.
    ///
    /// - Returns: How it ended.
    func live(_ occupation: Occupation, until cut: PowerCut) async throws -> Program.Outcome {
        let program = try await node.launch(
            TestNode.loopback + ["--peer", try await peer.address],
            environment: library.environment.merging(cut.environment(home: node.home, kept: kept)) { $1 })
        await eventually("the node is ready or dead") { !program.isRunning || program.output.contains(" is ready.") }
        if program.isRunning {
            try checkIdentity(#require(Self.user(in: program.output)))
            switch occupation {
            case .start: break
            case .write: while write() {}
            case .stop: for _ in 1...3 { if !write() { break } }
            }
            program.signal(SIGTERM)
        }
        let outcome = await program.ended()
        #expect([0, PowerCut.status].contains(outcome.status), "\(cut): \(outcome.errors)")
        return outcome
    }

    /// Starts the node without the library, has it prove that it lost nothing, and ends it suddenly or in peace.
    ///
    /// - Parameters:
    ///   - cut: what happened to it, for an issue that needs it.
    ///   - stops: whether it then stops in peace.
    func recover(after cut: String, thenStopping stops: Bool) async throws {
        // A silent peer cannot give back what the node forgot, nor keep it from writing a second time what it forgot.
        let address = try await peer.address
        await peer.freeze()
        try await node.start(peerAddresses: [address])
        let status: StatusAnswer = try connection.ask("/status")
        checkIdentity(status.user)
        #expect(status.storage == "writable", "\(cut)")
        if let conversation {
            let shown = try texts(in: conversation)
            let lost = Self.names(acknowledged.subtracting(shown))
            let invented = Self.names(Set(shown).subtracting(attempted))
            let repeated = shown.count - Set(shown).count
            #expect(lost.isEmpty, "\(cut)")
            #expect(invented.isEmpty, "\(cut)")
            #expect(repeated == 0, "\(cut)")
            let answer: DescriptionAnswer = try connection.ask("/conversations/\(conversation)")
            #expect(descriptions.contains(answer.description), "\(cut)")
            descriptions = [answer.description]
            sendAgain(after: cut)
            await peer.thaw()
        } else {
            await peer.thaw()
            await eventually("the new node meets its peer") {
                try await self.node.people().contains(self.peer.name)
            }
            let direct: ConversationAnswer = try await node.answer("direct", peer.name)
            conversation = direct.id
            sendAgain(after: cut)
        }
        await expectAgreement(after: cut)
        if stops { await node.stop() } else { await node.kill() }
        try checkDatabase(after: cut)
    }

    /// Begins with a conversation that exists, and with as much in another one as brings the write-ahead log near its
    /// checkpoint.
    func adopt(_ conversation: String) async throws {
        self.conversation = conversation
        let other: ConversationAnswer = try await node.answer("direct", peer.name)
        for part in 1...20 {
            let texts = (1...30).map { "\(part).\($0) " + String(repeating: "x", count: 16_000) }
            let _: SentAnswer = try connection.tell("POST", "/conversations/\(other.id)/messages", ["texts": texts])
        }
        await node.kill()
    }

    // MARK: - Writing

    /// Sends one to three messages of some length in one request, now and then an operation of the membership lane.
    ///
    /// - Returns: Whether the node reported success.
    private func write() -> Bool {
        if random.next() % 5 == 0 {
            return describe("description \(random.next())")
        } else {
            return send(
                (0...random.next() % 3).map { _ in
                    "\(random.next()) "
                        + String(repeating: "y", count: Int(random.next() % 16) << Int(random.next() % 10))
                })
        }
    }

    private func send(_ texts: [String]) -> Bool {
        guard let conversation else { return false }
        attempted.formUnion(texts)
        do {
            let answer: SentAnswer = try connection.tell(
                "POST", "/conversations/\(conversation)/messages", ["texts": texts])
            #expect(answer.ids.count == texts.count)
            acknowledged.formUnion(texts)
            return true
        } catch {
            // It died, or it did not get so far: nothing was promised.
            return false
        }
    }

    /// Sends what must be taken.
    private func sendAgain(after cut: String) {
        // The first commit after a checkpoint begins the write-ahead log anew, over what it had.
        for _ in 0...random.next() % 3 {
            #expect(send(["after the cut \(random.next())"]), "\(cut)")
        }
    }

    private func describe(_ text: String) -> Bool {
        guard let conversation else { return false }
        descriptions.append(text)
        do {
            let answer: DescriptionAnswer = try connection.tell(
                "PATCH", "/conversations/\(conversation)", ["description": text])
            descriptions = [answer.description]
            return true
        } catch {
            // As above: it may have been set or not.
            return false
        }
    }

    // MARK: - What must hold

    /// Who the node said it is stays so.
    private func checkIdentity(_ user: String) {
        #expect(self.user == nil || self.user == user, "the node is the same user")
        self.user = user
    }

    /// The user that a node names when it is ready.
    private static func user(in output: String) -> String? {
        let line = output.split(separator: "\n").first { $0.hasPrefix("  user ") }
        return line?.split(separator: " ").last.map(String.init)
    }

    /// The texts of the node's own messages.
    private func texts(in conversation: String) throws -> [String] {
        var texts: [String] = []
        var before = ""
        while true {
            let page: MessagePageAnswer = try connection.ask(
                "/conversations/\(conversation)/messages?limit=1000\(before)")
            texts += page.messages.filter { $0.kind == "text" && $0.sender == user }.map(\.text)
            guard let earlier = page.earlier else { return texts }
            before = "&before=\(earlier)"
        }
    }

    /// The peer, who may have operations that the node wrote before it died, has the same as the node.
    private func expectAgreement(after cut: String) async {
        await eventually("the node and its peer agree: \(cut)") {
            try self.digest(on: self.connection) == self.digest(on: LocalConnection(home: self.peer.home))
        }
    }

    /// The digest of a node's replica of the conversation. It may not have come yet: that is an error, and no issue.
    private func digest(on connection: LocalConnection) throws -> String {
        let verification: VerificationAnswer = try connection.ask("/verify")
        guard let found = verification.conversations.first(where: { $0.conversation == conversation }) else {
            throw NothingCame()
        }
        return found.digest
    }

    private struct NothingCame: Error {}

    /// The database is sound, and every chain in it goes from one to its end with no gap and no fork.
    private func checkDatabase(after cut: String) throws {
        // A copy, so that the node finds what it left.
        let copy = try Scratch()
        for file in ["replica.sqlite", "replica.sqlite-wal"] where FileManager.default.fileExists(atPath: home(file)) {
            try FileManager.default.copyItem(atPath: home(file), toPath: copy.file(file))
        }
        let queue = try DatabaseQueue(path: copy.file("replica.sqlite"))
        let findings = try queue.read { database in
            try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
                + String.fetchAll(
                    database,
                    sql: """
                        SELECT 'a chain of device ' || device || ' has a gap or a fork' FROM operations
                        GROUP BY conversation, lane, device
                        HAVING min(sequence) <> 1 OR max(sequence) <> count(*) OR count(DISTINCT sequence) <> count(*)
                        UNION ALL
                        SELECT 'a chain of device ' || device || ' has several ends' FROM tips
                        GROUP BY conversation, lane, device HAVING count(*) <> 1
                        """)
        }
        #expect(findings.isEmpty, "\(cut)")
        try queue.close()
    }

    /// Texts as an issue can show them.
    private static func names(_ texts: Set<String>) -> [String] {
        texts.map { String($0.prefix(30)) }.sorted()
    }

    private nonisolated var kept: String { node.home + "-kept" }

    private nonisolated func home(_ file: String) -> String { "\(node.home)/\(file)" }
}
