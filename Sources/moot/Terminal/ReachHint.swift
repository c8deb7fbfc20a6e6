import LocalAPIModel

/// What to do while no other node is connected.
enum ReachHint {
    /// The port of beacons.
    private static let beaconPort = 47_474

    /// Says how nodes find each other, as far as this one takes part.
    static func lines(about status: StatusDescription) -> [String] {
        guard status.peers.isEmpty else { return [] }
        let ports = Set(status.listening.compactMap { $0.split(separator: ":").last.map(String.init) }).sorted()
        let listening = ports.isEmpty ? "" : " and TCP port \(ports.joined(separator: ", "))"
        let finding =
            status.discovery
            ? "Nodes on one network find each other by themselves if firewalls let UDP port \(beaconPort)\(listening) in."
            : "This node was started with --no-discovery: it neither finds others nor is found."
        return [
            finding,
            "Otherwise name one address, moot up --peer HOST:PORT, or exchange contact codes, moot whoami --code.",
        ]
    }
}
