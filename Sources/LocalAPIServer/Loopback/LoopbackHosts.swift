/// The names under which the API on loopback may be asked for.
///
/// A page of somebody else can make its own name point to 127.0.0.1 (DNS rebinding). The browser then takes the node for that
/// page's server, but it still says which name was asked for, and that name is none of these.
struct LoopbackHosts: Hashable, Sendable {
    private let hosts: Set<String>

    /// Describes the names.
    ///
    /// - Parameters:
    ///   - port: The port of the server, with which the names of loopback are allowed.
    ///   - others: Further names as browsers write them: with a port, unless it is 80.
    init(port: Int, others: [String] = []) {
        let names = ["localhost", "127.0.0.1", "[::1]"]
        hosts = Set(names.map { port == 80 ? $0 : "\($0):\(port)" } + others.map { $0.lowercased() })
    }

    /// Whether the `Host` of a request is one of the names.
    func contains(_ host: String) -> Bool {
        hosts.contains(host.lowercased())
    }

    /// Whether a request that came to an allowed host was made by a page of that same host: by `Origin` (RFC 6454), where the
    /// request has it.
    func isOwn(origin: String, at host: String) -> Bool {
        contains(host) && origin.lowercased() == "http://" + host.lowercased()
    }

    /// Whether a browser may make a request with this `Sec-Fetch-Site` (Fetch Metadata): a page of the node itself, or the
    /// user, who typed or opened an address.
    ///
    /// `same-site` is not enough. To a browser all ports of localhost are one site, also those of other programs.
    static func mayFetch(from site: String) -> Bool {
        site == "same-origin" || site == "none"
    }
}
