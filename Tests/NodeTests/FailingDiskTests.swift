import Cryptography
import LocalAPIModel
import OperationLog
import SQLiteStore
import Storage
import Testing

@testable import Node
@testable import NodeCore

@Suite("A node whose disk cannot be read")
struct FailingDiskTests {
    @Test func `says so in its status, and does not take what it cannot look up for what is here`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        #expect(await alice.status().storage == "writable")
        try await alice.loseDisk()
        let status = await alice.status()
        #expect(status.storage != "writable")
        #expect(status.unread == 0)
        let error = await #expect(throws: NodeError.self) { try await alice.gapsOfLackingText() }
        #expect(error?.code == .storageFailed)
    }
}

extension Node {
    /// Every look at the replica fails from now on.
    fileprivate func loseDisk() throws { try store.close() }

    fileprivate func gapsOfLackingText() throws(NodeError) -> [GapDescription] {
        let text = OperationID(digest: .hash("test", [1]))
        var replica = Replica(conversation: ConversationID(createdBy: text), root: .group)
        replica.wanted = WantedBodies([WantedBody(operation: text, author: core.device, sequenceNumber: 1)])
        return try gaps(in: replica)
    }
}
