import Dispatch
import Glibc
import StreamTransport

/// The places by which a user wants to reach others, compared with what this host finds now.
///
/// What is missing is no error: a name server and an interface may come up after the node, which keeps trying.
public struct NamedPlaces: Sendable {
    private let peers: [String]
    private let interfaces: [String]

    /// Describes places.
    ///
    /// - Parameters:
    ///   - peers: `host:port` each.
    ///   - interfaces: the names of network interfaces.
    public init(peers: [String], interfaces: [String]) {
        self.peers = peers
        self.interfaces = interfaces
    }

    /// What is missing, a sentence for each place.
    ///
    /// - Complexity: looks names up, one after the other, each for as long as a name server is silent.
    public func warnings() async -> [String] {
        var found = interfaces.compactMap(Self.warning(about:))
        for peer in peers where await !Self.hasAddress(peer) {
            found.append("The host of the peer \(peer) is not found; it is looked for again and again.")
        }
        return found
    }

    private static func warning(about interface: String) -> String? {
        guard if_nametoindex(interface) > 0 else {
            return "There is no network interface \(interface); beacons are sent on it once there is one."
        }
        guard NetworkInterface.usable(named: [interface], includingLoopback: true).isEmpty else { return nil }
        return "The network interface \(interface) is down or has no address; beacons are sent on it once it has one."
    }

    private static func hasAddress(_ peer: String) async -> Bool {
        guard let place = try? HostAndPort(peer) else { return false }
        return await withCheckedContinuation { continuation in
            NameResolver.resolve(place, on: .global(qos: .utility)) { found in
                if case .success = found {
                    continuation.resume(returning: true)
                } else {
                    continuation.resume(returning: false)
                }
            }
        }
    }
}
