import Foundation
import LocalAPIModel
import Node

/// What several devices of a user are measured by.
struct DeviceFigures: Codable {
    var linking: DeviceLinking
    var cost: DeviceCost
}

/// What a message costs where the others of a group are people with a host each, and where they are one person with as
/// many.
struct DeviceCost: Codable {
    /// Hosts of the others; besides them there are the author's and that of one more, for two make no group.
    static let hosts = 8

    /// What a message cost everybody together.
    struct Figure: Codable {
        var processorMilliseconds: Double
        /// On loopback, with all headers.
        var bytes: Double
    }

    var members: Figure
    var devices: Figure

    private static let messages = 200
    private static let interval: Duration = .milliseconds(50)
    /// How long acknowledgments and receipts of the last ones take at most.
    private static let tail: Duration = .seconds(2)

    /// Measures both, one after the other.
    static func measure(in folder: URL) async throws -> DeviceCost {
        DeviceCost(
            members: try await measure(
                people: hosts, devices: 1, in: folder.appendingPathComponent("members")),
            devices: try await measure(people: 1, devices: hosts, in: folder.appendingPathComponent("devices")))
    }

    private static func measure(people: Int, devices: Int, in folder: URL) async throws -> Figure {
        let alice = try await BenchNode.start("Alice", in: folder)
        let address = try await alice.address
        var others = [try await BenchNode.start("Carol", in: folder, peers: [address])]
        for number in 1...people {
            let first = try await BenchNode.start("Person \(number)", in: folder, peers: [address])
            others.append(first)
            for device in 1..<devices {
                let name = "Person \(number), device \(device)"
                try await first.makeDevice(name, in: folder)
                let places = [address, try await first.address]
                others.append(try await BenchNode.start(name, in: folder, peers: places))
            }
        }
        let names = ["Carol"] + (1...people).map { "Person \($0)" }
        try await alice.meets(names)
        let group = try await alice.createGroup(name: "Cost", members: names).id
        // Writing is taking part, and all who take part are connected.
        for node in others {
            try await BenchNode.wait("the group is everywhere") {
                try await node.node.conversations().contains { $0.id == group }
            }
            _ = try await node.node.send(["I am here"], to: group)
        }
        for node in [alice] + others {
            try await BenchNode.wait("all are connected") { await node.node.peers().count == hosts + 1 }
        }
        try await Task.sleep(for: .seconds(3))

        let network = CrowdNetwork.loopback
        let (cost, bytes) = (Cost.now, try network.sentBytes())
        for number in 0..<messages {
            _ = try await alice.node.send([CrowdMeasure.text("talk", number)], to: group)
            try await Task.sleep(for: interval)
        }
        for node in others {
            try await BenchNode.wait("everything arrives") {
                try await node.node.conversation(group).lastMessage?.text == CrowdMeasure.text("talk", messages - 1)
            }
        }
        try await Task.sleep(for: tail)
        let figure = Figure(
            processorMilliseconds: 1_000 * cost.cost.processorSeconds / Double(messages),
            bytes: (try network.sentBytes() - bytes) / Double(messages))
        for node in [alice] + others { await node.node.stop() }
        return figure
    }
}
