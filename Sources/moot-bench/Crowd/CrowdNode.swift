import Foundation
import LocalAPIClient
import LocalAPIModel
import Synchronization

/// One node of a crowd: a `moot up` with a home of its own, asked over its local API.
final class CrowdNode: Sendable {
    let number: Int
    let name: String
    let api: LocalClient
    private let command: [String]
    private let home: String
    private let cleanup: Cleanup
    private let state = Mutex(State())

    private struct State {
        var process: CrowdProcess?
        var starts = 0
        /// The id of its user, once it has answered.
        var user = ""
        /// Where it listens.
        var address = ""
    }

    /// Describes a node that has not started.
    init(_ number: Int, program: String, on network: CrowdNetwork, in folder: URL, cleanup: Cleanup) {
        self.number = number
        name = "Node \(number)"
        home = folder.appendingPathComponent("\(number)").path
        api = LocalClient(socketPath: home + "/moot.sock")
        command =
            network.entering(number) + [
                program, "up", "--home", home, "--name", name, "--web", "off", "--notify", "off",
            ]
            + network.options(of: number)
        self.cleanup = cleanup
    }

    var user: String { state.withLock { $0.user } }
    var address: String { state.withLock { $0.address } }
    /// Processor time of the process that runs now.
    var processorSeconds: Double { state.withLock { $0.process }?.processorSeconds ?? 0 }

    /// Starts it, and waits until it answers.
    func start(peers: [String] = []) async throws {
        let process = try state.withLock { state throws in
            state.starts += 1
            let process = try CrowdProcess(
                command + peers.flatMap { ["--peer", $0] }, errors: "\(home)-\(state.starts).log")
            state.process = process
            return process
        }
        cleanup.add { process.kill() }
        try await Crowd.wait("\(name) answers", every: .milliseconds(10)) {
            guard process.isRunning else { throw BenchError("\(self.name) ended: see \(self.home)-*.log") }
            guard let status = try? await self.api.status() else { return false }
            self.state.withLock { ($0.user, $0.address) = (status.user, status.listening.first ?? "") }
            return true
        }
    }

    /// Ends it as a power cut would.
    func kill() async throws {
        guard let process = state.withLock({ $0.process }) else { return }
        process.kill()
        try await process.ended()
    }

    /// The names of everybody it has met.
    func names() async throws -> Set<String> { Set(try await api.people().map(\.name)) }

    /// How much of a group it has stored; nil where it does not know of it, or something is on its way.
    func stored(of group: String) async throws -> Int? {
        guard let replica = try await api.status().conversations.first(where: { $0.conversation == group }),
            replica.pending == 0, replica.wanted == 0
        else { return nil }
        return replica.operations
    }

    /// Whether it is connected to somebody.
    func isOnline(_ user: String) async throws -> Bool {
        do {
            return try await api.person(user).presence == .online
        } catch LocalClientError.refused(let refusal) where refusal.code == ErrorCode.unknownPerson.rawValue {
            return false
        }
    }
}
