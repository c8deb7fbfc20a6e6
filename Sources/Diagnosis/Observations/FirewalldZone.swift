/// What carries a packet.
public enum Transport: String, Hashable, Sendable {
    case tcp
    case udp
}

/// What a zone of firewalld lets in, from `firewall-cmd --list-all`.
public struct FirewalldZone: Hashable, Sendable {
    /// What the zone is called.
    public let name: String
    private let accepts: Bool
    private let ports: Set<String>
    private let services: Set<String>

    /// Reads what the command prints; nil if it is something else.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n")
        guard let heading = lines.first?.split(separator: " ").first else { return nil }
        var values: [String: [String]] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            values[String(line[..<colon].drop(while: \.isWhitespace))] = line[line.index(after: colon)...].split(
                separator: " "
            ).map { String($0) }
        }
        guard let target = values["target"]?.first else { return nil }
        name = String(heading)
        accepts = target == "ACCEPT"
        ports = Set(values["ports"] ?? [])
        services = Set(values["services"] ?? [])
    }

    /// Whether packets to a port come in.
    public func lets(_ transport: Transport, port: UInt16) -> Bool {
        guard !accepts, !services.contains("moot") else { return true }
        return ports.contains { entry in
            let parts = entry.split(separator: "/")
            guard parts.count == 2, parts[1] == transport.rawValue else { return false }
            let ends = parts[0].split(separator: "-").map { UInt16($0) }
            guard ends.count <= 2, let low = ends.first ?? nil, let high = ends.last ?? nil else { return false }
            return low <= port && port <= high
        }
    }
}
