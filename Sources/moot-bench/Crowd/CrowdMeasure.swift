import Foundation
import LocalAPIClient
import LocalAPIModel

/// Measures one crowd: real processes, all asked over their local API.
///
/// What this process itself takes is in no figure. But it shares the processors with the nodes, so it asks one node at
/// a time, and pauses in between.
final class CrowdMeasure {
    /// Bytes of a message.
    static let textLength = 100
    /// Messages that are written as fast as it goes, and messages that somebody misses.
    static let burst = 1_000
    /// Who write them, each one after the other.
    static let writers = 10
    /// How long the crowd is left alone before what it costs idle is measured, and how long that takes.
    private static let calm: Duration = .seconds(10)
    private static let idle: Duration = .seconds(20)

    let network: CrowdNetwork
    let nodes: [CrowdNode]
    var values: [CrowdMetric: Double] = [:]
    /// What went wrong, so that figures are missing.
    private(set) var problems: [String] = []
    /// The group of all, once it is made.
    var group = ""
    /// Whether all are in it and connected.
    private var isConnected = false
    private var lastStart = ContinuousClock.now

    /// Describes a crowd that has not started.
    init(nodes: Int, program: String, network: CrowdNetwork, folder: URL, cleanup: Cleanup) {
        self.network = network
        self.nodes = (1...nodes).map {
            CrowdNode($0, program: program, on: network, in: folder, cleanup: cleanup)
        }
    }

    /// Measures everything, and ends all processes. What cannot be measured is among the problems.
    func run(note: (String) -> Void) async {
        let steps: [(String, () async throws -> Void)] = [
            ("starting", start), ("waiting until all know all", meet), ("making a group", makeGroup),
            ("doing nothing", rest), ("talking", talk), ("writing \(Self.burst) messages", writeBurst),
            ("one process is killed, and returns", loseProcess), ("one cable is pulled", loseLink),
        ]
        for (index, (name, step)) in steps.enumerated() where index < 3 || isConnected {
            note(name)
            let before = values
            do {
                try await step()
                for what in CrowdMetric.allCases where values[what] != before[what] {
                    guard let value = values[what] else { continue }
                    note("  \(what.title): \(Crowd.text(value))")
                }
            } catch {
                // Its figures are missing, and the others are still worth something.
                problems.append("\(nodes.count) nodes, \(name): \(error)")
                if index == 0 { break }
            }
        }
        for end in nodes.map({ $0.kill }) + [network.end] {
            do { try await end() } catch { problems.append("\(nodes.count) nodes, ending: \(error)") }
        }
    }

    /// Starts all, one after the other.
    private func start() async throws {
        for node in nodes.dropLast() { try await node.start() }
        lastStart = .now
        // On loopback the last one dials all of them, and they hear of each other from it.
        try await nodes[nodes.count - 1].start(peers: network.isPrivate ? [] : nodes.dropLast().map(\.address))
    }

    /// Waits until everybody knows everybody.
    private func meet() async throws {
        let names = Set(nodes.map(\.name))
        for node in nodes {
            try await Crowd.wait("\(node.name) knows all") { try await node.names().isSuperset(of: names) }
        }
        values[.knownSeconds] = lastStart.duration(to: .now).seconds
    }

    /// Lets the node that started last make a group of all, and everybody write in it once.
    ///
    /// A node knows only so many strangers at a time, so it may take several steps.
    private func makeGroup() async throws {
        let founder = nodes[nodes.count - 1]
        let begin = ContinuousClock.now
        var missing = Set(nodes.dropLast().map(\.name))
        try await Crowd.wait("all are in the group") {
            let present = try await founder.names().intersection(missing).sorted()
            guard !present.isEmpty else { return false }
            do {
                if self.group.isEmpty {
                    self.group = try await founder.api.createGroup(name: "Crowd", members: present).id
                } else {
                    _ = try await founder.api.add(present, to: self.group)
                }
                missing.subtract(present)
            } catch LocalClientError.refused(let refusal) where refusal.code == ErrorCode.unknownPerson.rawValue {
                // A stranger is forgotten for the moment in which one connection takes the place of another.
            }
            return missing.isEmpty
        }
        for node in nodes {
            try await Crowd.wait("\(node.name) has the group") {
                guard try await node.stored(of: self.group) != nil else { return false }
                return try await node.api.conversation(self.group).memberCount == self.nodes.count
            }
        }
        values[.groupSeconds] = begin.duration(to: .now).seconds
        // The first message of each makes it keys or waits for them. And who has written takes part: they are no
        // strangers any more.
        for node in nodes { _ = try await node.api.send("I am \(node.name)", to: group) }
        try await becomeEqual()
        for node in nodes {
            try await Crowd.wait("\(node.name) is connected to all") {
                Set(try await node.api.peers().map(\.user)).count == self.nodes.count - 1
            }
        }
        isConnected = true
    }

    /// What the crowd costs while nobody does anything.
    private func rest() async throws {
        try await becomeCalm()
        try await Task.sleep(for: Self.calm)
        let before = try usage()
        try await Task.sleep(for: Self.idle)
        let cost = try usage().since(before)
        let nodeSeconds = cost.seconds * Double(nodes.count)
        values[.idleBytesPerSecond] = cost.bytes / nodeSeconds
        values[.idleProcessorPercent] = 100 * cost.processorSeconds / nodeSeconds
    }

    /// Waits until all have stored the same, and are done with acknowledgments and receipts as far as one can see.
    func becomeCalm() async throws {
        try await becomeEqual()
        try await finishWork()
    }

    /// Waits until the nodes do hardly anything: receipts and the index of what was said take them a while.
    func finishWork() async throws {
        // A large crowd may never be calm: that is measured, too.
        for _ in 0..<30 {
            let before = processorSeconds
            try await Task.sleep(for: .seconds(2))
            if processorSeconds - before < 0.5 { return }
        }
    }

    /// Waits until all have stored the same.
    private func becomeEqual() async throws {
        try await Crowd.wait("all have the same", every: .milliseconds(500), seconds: 300) {
            var counts: Set<Int?> = []
            for node in self.nodes {
                counts.insert(try await node.stored(of: self.group))
                if counts.count > 1 { return false }
            }
            return !counts.contains(nil)
        }
    }

    /// What all nodes have used until now.
    func usage() throws -> CrowdUsage {
        CrowdUsage(at: .now, bytes: try network.sentBytes(), processorSeconds: processorSeconds)
    }

    private var processorSeconds: Double { nodes.reduce(0) { $0 + $1.processorSeconds } }

    /// A text that no other message has.
    static func text(_ name: String, _ number: Int) -> String {
        let text = "\(name) \(number) "
        return text + String(repeating: "x", count: max(0, textLength - text.utf8.count))
    }
}

/// What all nodes of a crowd have used since they started.
struct CrowdUsage {
    let at: ContinuousClock.Instant
    let bytes: Double
    let processorSeconds: Double

    /// What was used between two moments.
    func since(_ before: CrowdUsage) -> (seconds: Double, bytes: Double, processorSeconds: Double) {
        (before.at.duration(to: at).seconds, bytes - before.bytes, processorSeconds - before.processorSeconds)
    }
}
