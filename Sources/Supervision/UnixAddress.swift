import Glibc

/// The address of a Unix socket.
struct UnixAddress: Sendable {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// Reads a path, or behind `@` a name in the abstract namespace, which no folder has; nil for anything else.
    init?(_ name: String) {
        var bytes = Array(name.utf8)
        guard bytes.count > 1, !bytes.contains(0) else { return nil }
        let isAbstract = name.hasPrefix("@")
        guard isAbstract || name.hasPrefix("/") else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        // A path ends with a zero; the length alone ends an abstract name, which begins with one.
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count <= room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
    }

    /// Sends a datagram there, and returns whether it was handed over.
    func send(_ bytes: [UInt8], from descriptor: Int32, flags: Int32 = 0) -> Bool {
        var address = address
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | flags, place, length)
            }
        }
        return sent == bytes.count
    }
}
