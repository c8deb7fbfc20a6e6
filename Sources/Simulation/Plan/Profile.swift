/// What a simulation is hard on.
package enum Profile: String, Hashable, Codable, Sendable, CaseIterable {
    /// Nothing goes wrong.
    case calm
    /// The network is slow, loses connections and beacons.
    case lossy
    /// The network falls apart and comes together again.
    case partitioned
    /// Up to a third of the nodes lie.
    case byzantine
    /// Processes are killed, power fails, disks fill up and break.
    case crash
    /// Everything at once, for longer.
    case soak
    /// One large group, in which many write at once.
    case crowd

    /// Those that seeds take turns with. A crowd is not among them: it asks what messages cost, and not what breaks.
    package static let taken: [Profile] = allCases.filter { $0 != .crowd }
}
