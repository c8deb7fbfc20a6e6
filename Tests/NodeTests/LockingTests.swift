import Cryptography
import LocalAPIModel
import Logging
import NodeCore
import Testing

@testable import Node

@Suite("Locking a node")
struct LockingTests {
    private func open(_ home: Dwelling, _ passphrase: Passphrase?) async throws -> Node {
        try await Node.open(
            NodeConfiguration(home: home.path, name: "Alice", discovery: false), passphrase: passphrase,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `means nothing without a passphrase`() async throws {
        let home = try Dwelling()
        let node = try await open(home, nil)
        let error = await #expect(throws: NodeError.self) { try await node.lock() }
        #expect(error?.code == .invalidOperation)
        await node.stop()
    }

    @Test func `tells who runs the node, also twice`() async throws {
        let home = try Dwelling()
        let passphrase = try #require(Passphrase("correct horse"))
        try home.open(passphrase)
        // There are keys, but no database was made for them yet.
        try home.remove("used")
        let node = try await open(home, passphrase)
        #expect(try await node.lock().locked)
        #expect(try await node.lock().locked)
        await node.untilLocked()
        await node.stop()
    }
}
