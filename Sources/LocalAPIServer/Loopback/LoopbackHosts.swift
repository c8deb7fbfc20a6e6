/// The names under which the API on loopback may be asked for.
///
/// The page has a name of its own that is drawn at each start. Whatever anybody planted in a browser belongs to an
/// origin, so to a name, and the name of the next run is another one: nobody who held the port between two runs is
/// still there. Browsers resolve every name below `localhost` to loopback by themselves (RFC 6761, section 6.3), so
/// nobody makes it point elsewhere.
///
/// Programs, which keep nothing of what they were answered, may use the names of loopback. A page of somebody else can
/// make its own name point to 127.0.0.1 (DNS rebinding). The browser then takes the node for that page's server, but it
/// still says which name was asked for, and that name is none of these.
struct LoopbackHosts: Hashable, Sendable {
    /// Who is asked under a name.
    enum Kind: Hashable, Sendable {
        /// The page of this run, by a browser that was let in.
        case page
        /// The page of another run, which the node shows no more.
        case formerPage
        /// The API, by a program that shows a token.
        case programs
    }

    private let page: String
    private let programs: Set<String>

    /// Describes the names.
    ///
    /// - Parameters:
    ///   - page: The name of the page in this run. Its port may be another one: that of whoever forwards it to this
    ///     host.
    ///   - port: The port of the server, with which the names of loopback are allowed.
    ///   - others: Further names for programs: with a port, unless it is 80.
    init(page: String, port: Int, others: [String] = []) {
        let names = ["localhost", "127.0.0.1", "[::1]"]
        self.page = page
        programs = Set(names.map { port == 80 ? $0 : "\($0):\(port)" } + others.map { $0.lowercased() })
    }

    /// Whose name the `Host` of a request is; nil if it is none of the node's.
    func kind(of host: String) -> Kind? {
        let host = host.lowercased()
        if programs.contains(host) { return .programs }
        guard let name = host.wholeMatch(of: /([0-9a-f]{32}\.localhost)(:[0-9]{1,5})?/)?.output.1 else { return nil }
        return name == page ? .page : .formerPage
    }

    /// Whether a request that came to the page's host was made by the page: by `Origin` (RFC 6454), where the request
    /// has it. The node shows no page under another name.
    func isOwn(origin: String, at host: String) -> Bool {
        kind(of: host) == .page && origin.lowercased() == "http://" + host.lowercased()
    }

    /// Whether a browser may make a request with this `Sec-Fetch-Site` (Fetch Metadata): a page of the node itself, or
    /// the user, who typed or opened an address.
    ///
    /// `same-site` is not enough. To a browser all ports of a name are one site, also those of other programs.
    static func mayFetch(from site: String) -> Bool {
        site == "same-origin" || site == "none"
    }
}
