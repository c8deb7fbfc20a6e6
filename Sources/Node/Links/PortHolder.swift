import Foundation

/// Which program listens on a port of this host, as far as the kernel tells this user.
///
/// The table of sockets is open to everybody; whose a socket is, only its owner and root are told.
struct PortHolder: Equatable {
    /// The process.
    let process: Int32
    /// What the kernel calls the program: at most 15 bytes.
    let program: String

    /// How much of a table is read, in bytes: a table without end must not stop the node.
    private static let maximumBytes = 16 << 20
    /// How the table calls a socket that listens.
    private static let listening = "0A"

    /// Finds who listens on a TCP port; nil where nobody does, or it is somebody else's process.
    static func find(of port: UInt16) -> PortHolder? {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].map(read)
        let sockets = tables.reduce(into: Set<String>()) { $0.formUnion(Self.sockets(listeningOn: port, in: $1)) }
        guard !sockets.isEmpty else { return nil }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.lazy.compactMap { Int32($0) }.first { holds(sockets, $0) }.map { process in
            let name = read("/proc/\(process)/comm").trimmingCharacters(in: .whitespacesAndNewlines)
            return PortHolder(process: process, program: name)
        }
    }

    /// The inodes of the sockets that listen on a port, from a table as in `proc_net_tcp`: the second column is the address, the fourth
    /// the state, the tenth the inode.
    static func sockets(listeningOn port: UInt16, in table: String) -> Set<String> {
        let digits = String(port, radix: 16, uppercase: true)
        let ending = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        let found = table.split(separator: "\n").compactMap { line -> String? in
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            guard columns.count > 9, columns[1].hasSuffix(ending), columns[3] == listening else { return nil }
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
