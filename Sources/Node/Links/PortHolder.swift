import Foundation

/// Which program listens on a port of this host, as far as the kernel tells this user.
///
/// The table of sockets is open to everybody; whose a socket is, only its owner and root are told.
package struct PortHolder: Equatable {
    /// Sockets that others keep a port from a node with.
    package enum Kind {
        /// TCP sockets that listen.
        case listening
        /// UDP sockets that are bound.
        case datagrams

        /// The tables of the kernel in which they stand.
        fileprivate var tables: [String] {
            switch self {
            case .listening: ["tcp", "tcp6"]
            case .datagrams: ["udp", "udp6"]
            }
        }

        /// How the tables call their state.
        fileprivate var state: String {
            switch self {
            case .listening: "0A"
            case .datagrams: "07"
            }
        }
    }

    /// The process.
    package let process: Int32
    /// What the kernel calls the program: at most 15 bytes.
    package let program: String

    /// How much of a table is read, in bytes: a table without end must not stop the node.
    private static let maximumBytes = 16 << 20

    /// Finds who has a port; nil where nobody does, or it is somebody else's process.
    package static func find(of port: UInt16, _ kind: Kind = .listening) -> PortHolder? {
        let sockets = sockets(of: port, kind)
        guard !sockets.isEmpty else { return nil }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.lazy.compactMap { Int32($0) }.first { holds(sockets, $0) }.map { process in
            let name = read("/proc/\(process)/comm").trimmingCharacters(in: .whitespacesAndNewlines)
            return PortHolder(process: process, program: name)
        }
    }

    /// Whether anybody has a port, whoever it is.
    package static func isHeld(_ port: UInt16, _ kind: Kind = .listening) -> Bool { !sockets(of: port, kind).isEmpty }

    private static func sockets(of port: UInt16, _ kind: Kind) -> Set<String> {
        kind.tables.reduce(into: []) {
            $0.formUnion(sockets(listeningOn: port, in: read("/proc/self/net/\($1)"), kind))
        }
    }

    /// The inodes of the sockets that have a port, from a table as in `proc_net_tcp`: the second column is the address,
    /// the fourth the state, the tenth the inode.
    static func sockets(listeningOn port: UInt16, in table: String, _ kind: Kind = .listening) -> Set<String> {
        let digits = String(port, radix: 16, uppercase: true)
        let ending = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        let found = table.split(separator: "\n").compactMap { line -> String? in
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            guard columns.count > 9, columns[1].hasSuffix(ending), columns[3] == kind.state else { return nil }
            return String(columns[9])
        }
        return Set(found)
    }

    private static func holds(_ sockets: Set<String>, _ process: Int32) -> Bool {
        let folder = "/proc/\(process)/fd"
        guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
        return descriptors.contains { descriptor in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"),
                target.hasPrefix("socket:["), target.hasSuffix("]")
            else { return false }
            return sockets.contains(String(target.dropFirst("socket:[".count).dropLast()))
        }
    }

    private static func read(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? file.close() }
        let bytes = (try? file.read(upToCount: maximumBytes)) ?? nil
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
