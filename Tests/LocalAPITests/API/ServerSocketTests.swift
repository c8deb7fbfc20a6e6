import Foundation
import LocalAPIModel
import Node
import NodeCore
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("The socket of the local API")
struct ServerSocketTests {
    @Test func `can be opened by its owner only`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let socket = try permissions(of: alice.node.socketPath)
            #expect(socket == 0o600)
            let folder = try permissions(of: (alice.node.socketPath as NSString).deletingLastPathComponent)
            #expect(folder == 0o700)
        }
    }

    @Test func `makes an open folder private`() async throws {
        try await Scratch.with { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            try await ServerSocket.prepare(folder + "/moot.sock")
            #expect(try permissions(of: folder) == 0o700)
        }
    }

    /// What is made private there could be any folder of root's.
    @Test(.enabled(if: geteuid() == 0), arguments: ["folder", "link", "link/inside"])
    func `is not made where another user decides what is there`(name: String) async throws {
        try await Scratch.with { folder in
            let (own, theirs, link) = (folder + "/own", folder + "/folder", folder + "/link")
            for path in [own, theirs] { try #require(mkdir(path, 0o755) == 0) }
            try #require(chown(theirs, 65_534, 65_534) == 0)
            try #require(symlink(own, link) == 0 && lchown(link, 65_534, 65_534) == 0)
            let error = await #expect(throws: NodeError.self) {
                try await ServerSocket.prepare("\(folder)/\(name)/moot.sock")
            }
            #expect(error?.code == .permissionDenied && error?.message.contains("another user") == true)
            for path in [own, theirs] { #expect(try permissions(of: path) == 0o755) }
            #expect(!FileManager.default.fileExists(atPath: own + "/inside"))
        }
    }

    @Test func `is not made in a session's folder that is not there`() async throws {
        try await Scratch.with { folder in
            let error = await #expect(throws: NodeError.self) {
                try await ServerSocket.prepare(folder + "/session/moot/moot.sock")
            }
            #expect(error?.code == .permissionDenied)
            #expect(!FileManager.default.fileExists(atPath: folder + "/session"))
        }
    }

    @Test func `takes the place of one that a dead node left`() async throws {
        try await Scratch.with { folder in
            let path = folder + "/moot.sock"
            try leaveSocket(at: path)
            #expect(FileManager.default.fileExists(atPath: path))
            try await ServerSocket.prepare(path)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `is not taken from a node that lives`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let error = await #expect(throws: NodeError.self) { try await ServerSocket.prepare(alice.node.socketPath) }
            #expect(error?.code == .homeInUse)
            _ = try await alice.client.status()
        }
    }

    @Test func `does not replace a file that is something else`() async throws {
        try await Scratch.with { folder in
            let path = folder + "/moot.sock"
            try "precious".write(toFile: path, atomically: true, encoding: .utf8)
            let error = await #expect(throws: NodeError.self) { try await ServerSocket.prepare(path) }
            #expect(error?.code == .badConfiguration)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }

    @Test func `has a path that fits into an address`() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 200) + "/moot.sock"
        let error = await #expect(throws: NodeError.self) { try await ServerSocket.prepare(path) }
        #expect(error?.code == .badConfiguration)
        await #expect(throws: LocalClientError.pathTooLong(socketPath: path)) {
            try await LocalClient(socketPath: path).status()
        }
    }

    @Test func `is gone when the node has stopped`() async throws {
        let path = try await Alice.tells(knowing: []) { $0.node.socketPath }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `that is not there means that no node runs`() async throws {
        try await Scratch.with { folder in
            let path = folder + "/moot.sock"
            await #expect(throws: LocalClientError.notRunning(socketPath: path)) {
                try await LocalClient(socketPath: path).status()
            }
            try leaveSocket(at: path)
            await #expect(throws: LocalClientError.notRunning(socketPath: path)) {
                try await LocalClient(socketPath: path).status()
            }
        }
    }

    @Test func `is asked only where it is the user's own, and else the node where it says it is`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let path = alice.node.socketPath
            let nobodys = LocalClient(socketPath: path) { _ in false }
            await #expect(throws: LocalClientError.foreign(socketPath: path)) { try await nobodys.status() }
            let strangers = LocalClient(socketPath: path, owner: geteuid() + 1)
            await #expect(throws: LocalClientError.foreign(socketPath: path)) { try await strangers.status() }
            let own = LocalClient(socketPath: path, owner: geteuid())
            #expect(try await own.status().device == alice.client.status().device)
            try await Scratch.with { folder in
                let planted = folder + "/moot.sock"
                try leaveSocket(at: planted)
                let client = LocalClient(socketPath: planted) {
                    $0 == path
                } elsewhere: {
                    path
                }
                #expect(try await client.status().device == alice.client.status().device)
            }
        }
    }

    private func permissions(of path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require(value as? Int)
    }

    /// A socket nobody accepts at: what a killed node leaves.
    private func leaveSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }
}
