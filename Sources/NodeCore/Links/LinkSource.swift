import Replication

/// Where a connection comes from, as limits count it.
///
/// An address alone is not it: every account of this host can use each of its addresses, and every host of an IPv6
/// network any number there.
public struct LinkSource: Hashable, Sendable {
    /// Who is there: an account of this host, or another host by its address.
    public let place: String
    /// All places that one person may have: those of an IPv6 network, and the accounts that another one can make for
    /// itself. Else the place.
    public let network: String

    /// Names a source.
    public init(place: String, network: String) { (self.place, self.network) = (place, network) }

    /// The source of an address of which nothing else is known.
    init(_ endpoint: Endpoint) {
        let place = LocalAddress.source(endpoint.host)
        self.init(place: place, network: place)
    }
}
