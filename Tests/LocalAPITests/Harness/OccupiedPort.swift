import Glibc
import Testing

/// A port of loopback on which another program listens.
struct OccupiedPort {
    private let descriptor: Int32
    /// Its number.
    let port: Int

    /// Takes a port, or with 0 any, of 127.0.0.1 or of [::1].
    init(_ wanted: Int, isV6: Bool = false) throws {
        descriptor = socket(isV6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // Whoever asked there before may have left a connection that is not quite over.
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_storage()
        var length = socklen_t(isV6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            if isV6 {
                var end = sockaddr_in6()
                end.sin6_family = sa_family_t(AF_INET6)
                end.sin6_port = UInt16(wanted).bigEndian
                end.sin6_addr = in6addr_loopback
                withUnsafeBytes(of: end) { bytes.copyMemory(from: $0) }
            } else {
                var end = sockaddr_in()
                end.sin_family = sa_family_t(AF_INET)
                end.sin_port = UInt16(wanted).bigEndian
                end.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
                withUnsafeBytes(of: end) { bytes.copyMemory(from: $0) }
            }
        }
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let reason = errno
            close(descriptor)
            throw Taken(reason: reason)
        }
        port = withUnsafeBytes(of: address) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) }
    }

    /// Somebody else has the port.
    struct Taken: Error {
        let reason: Int32
    }

    func release() { close(descriptor) }
}
