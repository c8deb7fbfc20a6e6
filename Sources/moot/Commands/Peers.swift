import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot peers`
struct Peers: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "List the nodes connected now.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let peers = try await node.peers()
        try output.answer(peers) {
            var table = Table("NAME", "ADDRESS", "DIRECTION", "ROUND TRIP", "DEVICE")
            for peer in peers {
                table.add(
                    peer.name, peer.address, peer.direction.rawValue, Self.milliseconds(peer.roundTripMilliseconds),
                    String(peer.device.prefix(16)))
            }
            return table.lines(output)
        }
        guard peers.isEmpty else { return }
        output.say("No other node is connected.")
        for line in ReachHint.lines(about: try await node.status()) { output.say(line) }
    }

    private static func milliseconds(_ value: Double?) -> String {
        guard let value, value.isFinite, value >= 0, value < 1_000_000 else { return "-" }
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10) ms"
    }
}
