import LocalAPIServer

/// What `--web` says: a port of loopback, or that browsers are not served.
enum WebPort: Hashable, CustomStringConvertible {
    case off
    case port(UInt16)

    /// Reads what somebody wrote; nil for anything else.
    init?(_ text: String) {
        if text == "off" {
            self = .off
        } else if let port = UInt16(text) {
            self = .port(port)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .off: "off"
        case .port(let port): "\(port)"
        }
    }

    /// What the local API is told.
    func served(otherHosts: [String], allowedOrigin: AllowedOrigin?) -> LocalServer.Web? {
        switch self {
        case .off: nil
        case .port(let port): LocalServer.Web(port: Int(port), otherHosts: otherHosts, allowedOrigin: allowedOrigin)
        }
    }
}
