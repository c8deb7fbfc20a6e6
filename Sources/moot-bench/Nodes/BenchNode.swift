import Cryptography
import Foundation
import KeyStore
import LocalAPIModel
import Logging
import Node
import NodeCore
import OperationLog

/// A node in this process with a home of its own, reached over loopback like any other.
struct BenchNode {
    let node: Node
    let home: String

    /// Opens a node and lets it listen on a free port of loopback. Whose home is there has a name already.
    static func start(
        _ name: String, in folder: URL, peers: [String] = [],
        searchIndex: NodeConfiguration.SearchIndex = .automatic
    ) async throws -> BenchNode {
        let home = folder.appendingPathComponent(name).path
        let isNew = !FileManager.default.fileExists(atPath: home)
        var logger = Logger(label: "moot-bench") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let node = try await Node.open(
            NodeConfiguration(
                home: home, name: isNew ? name : nil, listen: "127.0.0.1:0", peers: peers, discovery: false,
                searchIndex: searchIndex),
            logger: logger)
        try await node.start()
        return BenchNode(node: node, home: home)
    }

    /// Where it can be dialed.
    var address: String {
        get async throws {
            guard let address = await node.status().listening.first else {
                throw BenchError("the node does not listen")
            }
            return address
        }
    }

    /// The keys of a stopped node, to write its history without it.
    static func keys(of home: String) throws -> (root: SigningKey, author: Author) {
        var random = SystemRandom()
        let keys = try Home(folder: home, random: &random).keys
        guard let root = keys.root else { preconditionFailure("a home that the bench made holds its root") }
        return (root, keys.author)
    }

    /// Waits until this node is connected to people of these names. A connection comes before the card that says who is
    /// behind it.
    func meets(_ names: [String]) async throws {
        try await Self.wait("\(names.joined(separator: " and ")) are known by name") {
            Set(await node.peers().map(\.name)).isSuperset(of: names)
        }
    }

    /// Makes a group of this node's user and people of these names, as soon as all are known.
    ///
    /// Two nodes that dial each other have two connections for a moment. If the older one ends first, each forgets the
    /// other, who is a stranger, until the newer one has introduced them. So having met somebody is not enough.
    func createGroup(name: String, members: [String]) async throws -> ConversationDescription {
        var group: ConversationDescription?
        try await Self.wait("\(members.joined(separator: " and ")) are known") {
            do {
                group = try await node.createGroup(name: name, members: members)
                return true
            } catch let error as NodeError where error.code == .unknownPerson {
                return false
            }
        }
        guard let group else { throw BenchError("there is no group") }
        return group
    }

    /// Makes the home of a further device of this node's user. Both users agree at once.
    func makeDevice(_ name: String, in folder: URL) async throws {
        let newcomer = NewDevice()
        let code = try await newcomer.listen(at: "127.0.0.1:0")
        async let settled: Void = Self.settle(newcomer, in: folder.appendingPathComponent(name).path)
        let link = try await node.beginLink(by: code)
        _ = try await node.agree(toLink: link.id, named: name)
        try await settled
    }

    private static func settle(_ newcomer: NewDevice, in home: String) async throws {
        _ = try await newcomer.meet()
        try await newcomer.settle(in: home)
    }

    /// Waits until something holds, looking every two milliseconds.
    static func wait(
        _ what: String, seconds: Double = 120, until condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try await !condition() {
            guard ContinuousClock.now < end else { throw BenchError("\(what): not within \(seconds) s") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
