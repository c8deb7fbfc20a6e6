/// Judges what was measured on a host and what its node knows.
///
/// Nothing here looks at the host: the same observation always gives the same findings, in the same order. A cause
/// hides its consequences, so that a planted fault gives one finding and not five.
public struct Diagnosis: Sendable {
    let host: HostObservation
    /// Nil where no node runs, or where it could not be asked.
    let node: NodeObservation?
    /// Nil where nobody else was asked.
    let counterpart: CounterpartObservation?

    /// Takes in what was measured.
    ///
    /// - Parameter counterpart: what the nodes of one person say of reaching this one, if they were asked.
    public init(host: HostObservation, node: NodeObservation?, counterpart: CounterpartObservation? = nil) {
        self.host = host
        self.node = node
        self.counterpart = counterpart
    }

    /// What was found, problems before notes.
    public var findings: [Finding] {
        let all =
            socketFindings + networkFindings + firewallFindings + beaconFindings + peerFindings + counterpartFindings
            + machineFindings + homeFindings + replicaFindings
        return all.filter { $0.severity == .problem } + all.filter { $0.severity == .note }
    }

    /// The TCP port on which the node listens, or would.
    var listenPort: UInt16 { host.sockets.listenPort }
}
