import Glibc

/// Whose process is at the other end of a connection from this host, by what the kernel says.
///
/// The kernel is asked for the one connection (`sock_diag(7)`). That costs the same however many connections the host
/// has, so nobody makes it slow by opening many.
public enum ConnectionOwner {
    /// What the kernel says.
    public enum Finding: Hashable, Sendable {
        /// A process of this user has the other end.
        case user(UInt32)
        /// No process has the other end any more.
        case nobody
        /// The kernel does not say.
        case unknown(reason: String)
    }

    /// One end of a connection.
    public struct End: Hashable, Sendable {
        /// The address as the kernel holds it: 4 bytes or 16.
        public let address: [UInt8]
        /// The port.
        public let port: UInt16

        /// An end at an address of 4 or 16 bytes.
        public init(address: [UInt8], port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// Finds out whose process has the end `theirs` of a connection of which this process has the end `ours`.
    public static func find(_ theirs: End, connectedTo ours: End) -> Finding {
        if let finding = ask(SocketQuestion(from: theirs, to: ours)) { return finding }
        // A kernel that cannot tell denies a connection that is there, too. This process has the other end of it.
        if case .user = ask(SocketQuestion(from: ours, to: theirs)) { return .nobody }
        return .unknown(reason: "the kernel does not tell of connections (sock_diag)")
    }

    /// Asks the kernel about a socket, and returns nil if it knows of none.
    private static func ask(_ question: SocketQuestion) -> Finding? {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), SocketQuestion.netlink)
        guard descriptor >= 0 else { return .unknown(reason: "AF_NETLINK: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard send(descriptor, question.bytes, question.bytes.count, 0) == question.bytes.count else {
            return .unknown(reason: "sock_diag: \(String(cString: strerror(errno)))")
        }
        // The kernel answers before it returns from the sending: there is nothing to wait for.
        var answer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &answer, answer.count, Int32(MSG_DONTWAIT))
        guard count >= 0 else { return .unknown(reason: "sock_diag: \(String(cString: strerror(errno)))") }
        return question.finding(in: answer[..<count])
    }
}

extension ConnectionOwner.End {
    /// The same address as one of IPv6 (RFC 4291, section 2.5.5.2).
    var mapped: Self {
        guard address.count == 4 else { return self }
        return Self(address: Array(repeating: 0, count: 10) + [0xFF, 0xFF] + address, port: port)
    }
}
