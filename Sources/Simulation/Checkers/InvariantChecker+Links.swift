import NodeCore
import Time

/// Connections on which nothing arrives, and those for which there is no reason.
extension InvariantChecker {
    /// For how long a node may take such a connection for alive, in microseconds. Where others still hear the peer,
    /// nobody tells it: the two who do not hear each other ask after half a minute, and one of them 2 s later. There
    /// are 15 s to answer where the host acknowledges that it was asked. That a peer whom nobody hears is missed within
    /// 5 s is seen by `PulledCableTests`.
    private static let silence = 50_000_000
    /// A host that was frozen is lenient for so long, in microseconds: it cannot tell who was silent.
    private static let leniency = 10_000_000

    /// Looks at the connections of a host.
    mutating func checkLinks(of host: Host, _ world: World) {
        guard host.frozenUntil == 0 || host.frozenUntil + Self.leniency < world.now else { return }
        for side in host.ends.values {
            guard let end = world.wires[side.wire]?.ends[side.end], end.isEstablished else { continue }
            expect(
                world.now - end.heard <= Self.silence, .convergence, world,
                "\(host.name) keeps a connection on which nothing has come for long")
        }
        checkStrangers(of: host, world)
    }

    /// Counts the strangers to whom a host is connected, and looks for those with whom nothing is shared on either
    /// side.
    ///
    /// A connection that is young counts as looked at: two honest nodes have none that is old, so that nothing would
    /// ever count.
    private mutating func checkStrangers(of host: Host, _ world: World) {
        guard let core = host.core else { return }
        let strangers = core.links.values.filter { $0.isStranger && $0.identity != nil }
        let most = Dictionary(grouping: strangers, by: \.endpoint.host).values.map(\.count).max() ?? 0
        expect(
            strangers.count <= NodeCore.maximumStrangers && most <= NodeCore.maximumStrangersPerHost, .boundedMemory,
            world, "\(host.name) is connected to \(strangers.count) strangers, \(most) of one host")
        // Faults put off what is said and heard, by six seconds each.
        let limit = NodeCore.strangerTime + (world.plan.isFaultless ? .seconds(10) : .seconds(30))
        for (handle, side) in host.ends {
            guard let link = core.links[handle], link.isStranger,
                let end = world.wires[side.wire]?.ends[side.other.end], let theirs = end.handle
            else { continue }
            let other = world.hosts[end.host]
            let isStrange = other.core?.links[theirs]?.isStranger ?? false
            let isWaiting = core.isWaitingToJoin || other.core?.isWaitingToJoin ?? false
            let isLong = host.moment(at: world.now).monotonic - link.began > limit
            expect(
                !isLong || !isStrange || isWaiting || other.isLiar || other.frozenUntil > 0, .parting, world,
                "\(host.name) and \(other.name) share nothing and stay connected")
        }
    }
}
