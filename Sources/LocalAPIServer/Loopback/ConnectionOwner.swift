import Glibc
import NIOCore

/// Whose process is at the other end of a connection on loopback, by the kernel's table of connections.
///
/// Every user of a host can connect to its loopback, and what a browser shows there can reach others: cookies know no ports, so a page that another user
/// serves on 127.0.0.1 is shown the node's cookie. With it they get no further than their own processes, which this tells apart.
enum ConnectionOwner {
    /// What the table says.
    enum Finding: Hashable, Sendable {
        /// A process of this user was there when the connection was made, or still is.
        case user(UInt32)
        /// No process has the connection any more, or it is not in the table.
        case nobody
        /// The table cannot be read.
        case unknown(reason: String)
    }

    /// One end of a connection.
    struct End: Hashable, Sendable {
        /// The address as the kernel holds it: 4 bytes or 16.
        let address: [UInt8]
        /// The port.
        let port: UInt16
    }

    /// How much of a table is read: about 100,000 connections. A table without end must not stop the node.
    static let maximumBytes = 16 << 20

    /// How many times a connection is looked for.
    private static let attempts = 3

    /// Whether requests of whoever was found are answered: of this user, and of root, who can do everything as it is.
    static func admits(_ finding: Finding, self user: UInt32) -> Bool {
        switch finding {
        case .user(let owner): owner == user || owner == 0
        case .nobody, .unknown: false
        }
    }

    /// Finds out whose process has the other end of a connection.
    static func find(of channel: any Channel) -> Finding {
        guard let theirs = channel.remoteAddress.flatMap(End.init), let ours = channel.localAddress.flatMap(End.init)
        else { return .unknown(reason: "the connection has no addresses") }
        // A table that changes while it is read may come without a row that was there all the time.
        for _ in 0..<attempts {
            // A socket of IPv6 reaches 127.0.0.1 too, and is in the table of IPv6 then.
            for (path, from, to) in [
                ("/proc/self/net/tcp", theirs, ours), ("/proc/self/net/tcp6", theirs.mapped, ours.mapped),
            ] {
                let finding = look(for: from, to: to, in: path)
                if finding != .nobody { return finding }
            }
        }
        return .nobody
    }

    private static func look(for theirs: End, to ours: End, in path: String) -> Finding {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // A kernel without IPv6 has no such table.
            return errno == ENOENT && path.hasSuffix("6")
                ? .nobody : .unknown(reason: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var table = Table(from: theirs, to: ours)
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var total = 0
        while total < maximumBytes {
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .unknown(reason: "\(path): \(String(cString: strerror(errno)))") }
            if let user = table.take(bytes[..<max(0, count)]) { return .user(user) }
            if count == 0 { return .nobody }
            total += count
        }
        return .unknown(reason: "\(path) is longer than \(maximumBytes) bytes")
    }

    /// Reads a table as its bytes come, and finds the row of one connection.
    struct Table {
        /// No row is longer.
        private static let maximumRows = 512

        private let ends: [String]
        private var row: [UInt8] = []

        /// Begins to look for the row of whoever connected to `ours` from `theirs`.
        init(from theirs: End, to ours: End) {
            ends = [theirs.text, ours.text]
        }

        /// Takes in what was read, nothing at the end, and returns the user if the row was among it.
        mutating func take(_ bytes: ArraySlice<UInt8>) -> UInt32? {
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    if row.count < Self.maximumRows { row.append(byte) }
                    continue
                }
                defer { row = [] }
                if let user = user(in: row) { return user }
            }
            return nil
        }

        /// The user of a row, if the row is the wanted connection and a process still holds it. A connection that was closed has no inode,
        /// and the kernel names root as its user.
        private func user(in row: [UInt8]) -> UInt32? {
            // Number, both ends, state, queues, timer, retransmissions, user, timeout, inode.
            let fields = row.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard fields.count >= 10, fields[1] == ends[0], fields[2] == ends[1],
                let inode = UInt64(fields[9]), inode != 0
            else { return nil }
            return UInt32(fields[7])
        }
    }
}

extension ConnectionOwner.End {
    /// The end that a socket's address names, if it is one of IP.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else { return nil }
        let isV6 = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isV6 ? 16 : 4)
        guard inet_pton(isV6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
        self.init(address: bytes, port: port)
    }

    /// The same address as one of IPv6 (RFC 4291, section 2.5.5.2).
    var mapped: Self {
        guard address.count == 4 else { return self }
        return Self(address: Array(repeating: 0, count: 10) + [0xFF, 0xFF] + address, port: port)
    }

    /// The end as the table writes it: each four bytes as a number of this machine, in hexadecimal.
    var text: String {
        var text = ""
        for start in stride(from: 0, to: address.count, by: 4) {
            let word = address[start..<min(start + 4, address.count)]
            let number = word.withUnsafeBytes { bytes in
                var number: UInt32 = 0
                withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: bytes.prefix(4)) }
                return number
            }
            text += Self.hexadecimal(number, digits: 8)
        }
        return text + ":" + Self.hexadecimal(UInt32(port), digits: 4)
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
