/// Everything that was measured on a host.
public struct HostObservation: Hashable, Sendable {
    /// Ports, and who has them.
    public var sockets: SocketObservation
    /// Interfaces and routes.
    public var networks: NetworkObservation
    /// What the firewall says of itself.
    public var firewall: FirewallObservation
    /// The folder of the node.
    public var home: HomeObservation
    /// Memory, limits and clock.
    public var machine: MachineObservation

    /// Puts together what was measured.
    public init(
        sockets: SocketObservation, networks: NetworkObservation, firewall: FirewallObservation,
        home: HomeObservation, machine: MachineObservation
    ) {
        self.sockets = sockets
        self.networks = networks
        self.firewall = firewall
        self.home = home
        self.machine = machine
    }
}
