import ArgumentParser
import LocalAPIServer

/// What `--web` says: a port of loopback, or that browsers are not served.
enum WebPort: Hashable, CustomStringConvertible {
    case off
    case port(UInt16)

    @Sendable
    init(_ text: String) throws {
        if text == "off" {
            self = .off
        } else if let port = UInt16(text) {
            self = .port(port)
        } else {
            throw ValidationError("\"\(text)\" is neither \"off\" nor a port from 0 to 65535.")
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
