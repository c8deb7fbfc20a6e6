import Cryptography
import Foundation
import KeyStore
import LocalAPIClient
import LocalAPIModel
import LocalAPIServer
import Logging
import Node
import NodeCore
import ServiceLifecycle
import Testing
import Waiting

/// Alice's node with its local API on a real Unix socket, in a folder of its own.
struct Alice {
    let node: Node
    let client: LocalClient
    /// Nodes that nobody has told of theirs.
    let strangers: [Node]
    let stopServing: @Sendable () async -> Void
    /// The single-use address that was announced, if browsers are served.
    let webAddress: WebAddressDescription?
    /// The id of the last event before they met anybody.
    let beginning: UInt64

    /// Tells a story with Alice's node, who has met some others and not the strangers, then stops everything and
    /// removes the folder.
    static func tells<Outcome: Sendable>(
        knowing names: [String] = ["Bob", "Carol"], besides unknown: [String] = [],
        web: LocalServer.Web? = nil, heartbeat: Duration = .seconds(15), passphrase: Passphrase? = nil,
        _ story: (Alice) async throws -> Outcome
    ) async throws -> Outcome {
        try await Scratch.with { folder in
            if let passphrase { try makeKeys(in: "\(folder)/alice", behind: passphrase) }
            let alice = try await start("Alice", in: "\(folder)/alice", passphrase: passphrase)
            let address = await alice.status().listening
            let beginning = await alice.status().lastEvent
            var others: [Node] = []
            for (number, name) in names.enumerated() {
                others.append(try await start(name, in: "\(folder)/\(number)", peers: address))
            }
            var strangers: [Node] = []
            for (number, name) in unknown.enumerated() {
                strangers.append(try await start(name, in: "\(folder)/stranger-\(number)"))
            }
            try await meet(alice, names)
            let outcome = try await served(
                alice, strangers, web, heartbeat, since: beginning, story)
            for node in others + strangers + [alice] { await node.stop() }
            return outcome
        }
    }

    /// Serves the API of a node for as long as the story takes.
    private static func served<Outcome: Sendable>(
        _ node: Node, _ strangers: [Node], _ web: LocalServer.Web?, _ heartbeat: Duration, since beginning: UInt64,
        _ story: (Alice) async throws -> Outcome
    ) async throws -> Outcome {
        let (ready, becameReady) = AsyncStream<WebAddressDescription?>.makeStream()
        let server = LocalServer(
            node: node, web: web, settings: Told(), diagnostician: Examined(), logger: silent, heartbeat: heartbeat
        ) {
            becameReady.yield($0)
        }
        let services = ServiceGroup(services: [server], logger: silent)
        return try await withThrowingTaskGroup { group in
            group.addTask {
                defer { becameReady.finish() }
                try await services.run()
            }
            var address: WebAddressDescription?
            for await announced in ready {
                address = announced
                break
            }
            let alice = Alice(
                node: node, client: LocalClient(socketPath: node.socketPath), strangers: strangers,
                stopServing: { await services.triggerGracefulShutdown() }, webAddress: address,
                beginning: beginning)
            let outcome = try await story(alice)
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return outcome
        }
    }

    /// Makes the keys of a home behind a passphrase that costs little.
    private static func makeKeys(in home: String, behind passphrase: Passphrase) throws(NodeError) {
        var random = SystemRandom()
        _ = try Home(folder: home, passphrase: passphrase, cost: .least, random: &random)
    }

    private static func start(
        _ name: String, in home: String, peers: [String] = [], passphrase: Passphrase? = nil
    ) async throws -> Node {
        let configuration = NodeConfiguration(
            home: home, name: name, listen: "127.0.0.1:0", peers: peers, discovery: false)
        let node = try await Node.open(configuration, passphrase: passphrase, logger: silent)
        try await node.start()
        return node
    }

    private static func meet(_ node: Node, _ names: [String]) async throws {
        let everybody = (names + ["Alice"]).sorted()
        try #require(
            await eventually("everybody has met", pause: .milliseconds(10)) {
                await node.people().map(\.name).sorted() == everybody
            })
    }

    /// A log nobody reads.
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Settings of a node that a test runs.
private struct Told: SettingsKeeper {
    var description: SettingsDescription {
        SettingsDescription(
            file: "/moot.toml", isFileThere: true,
            settings: [
                SettingDescription(name: "web", values: ["0"], source: .unit, isReloadable: false),
                SettingDescription(
                    name: "peers", values: [], source: .file, place: "/moot.toml, line 1", isReloadable: true),
            ])
    }

    func reload() -> SettingsReloadDescription {
        SettingsReloadDescription(file: "/moot.toml", isFileThere: true, applied: ["peers"], needRestart: ["web"])
    }
}

/// A doctor that finds a closed port, and takes a moment for it.
private struct Examined: Diagnostician {
    func diagnose(with person: String?) async throws(NodeError) -> DiagnosisDescription {
        try? await Task.sleep(for: .milliseconds(500))
        return DiagnosisDescription(
            healthy: false, node: true,
            findings: [
                .init(
                    code: "firewall_drops_tcp", severity: .problem, about: "TCP port 47470", measured: "A rule.",
                    meaning: "Others cannot connect.", remedy: "sudo ufw allow 47470/tcp")
            ], unseen: ["The rules of nftables."])
    }
}
