import Cryptography
import KeyStore
import LocalAPIModel
import Logging
import NodeCore
import Testing

@testable import Node

@Suite("Locking a node")
struct LockingTests {
    private func open(_ home: String, _ passphrase: Passphrase?) async throws -> Node {
        try await Node.open(
            NodeConfiguration(home: home, name: "Alice", discovery: false), passphrase: passphrase,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Makes the keys of a home behind a passphrase that costs little; no database is made for them yet.
    private func makeKeys(in home: String, _ passphrase: Passphrase) throws(NodeError) {
        var random = SystemRandom()
        _ = try Home(folder: home, passphrase: passphrase, cost: .least, random: &random)
    }

    @Test func `means nothing without a passphrase`() async throws {
        let scratch = try Scratch()
        let node = try await open(scratch.file("home"), nil)
        let error = await #expect(throws: NodeError.self) { try await node.lock() }
        #expect(error?.code == .invalidOperation)
        await node.stop()
    }

    @Test func `tells who runs the node, also twice`() async throws {
        let scratch = try Scratch()
        let passphrase = try #require(Passphrase("correct horse"))
        try makeKeys(in: scratch.file("home"), passphrase)
        let node = try await open(scratch.file("home"), passphrase)
        #expect(try await node.lock().locked)
        #expect(try await node.lock().locked)
        await node.waitUntilLocked()
        await node.stop()
    }
}
