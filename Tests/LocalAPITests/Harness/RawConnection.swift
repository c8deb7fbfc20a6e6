import Foundation

/// A connection to the socket, or to a port of loopback, on which a test writes whatever bytes it likes.
///
/// It waits on a thread of its own: the server under test needs those of Swift's pool.
final class RawConnection: Sendable {
    struct Failed: Error {}

    private let descriptor: Int32

    init(to path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw Failed() }
        bePatient()
    }

    init(toPort port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failed() }
        bePatient()
    }

    private func bePatient() {
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Writes as much as is taken, then reads until the text occurs or the connection ends, and returns what it read.
    func exchange(_ request: [String], until text: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                for part in request { self.write(part) }
                continuation.resume(returning: self.read(until: text))
            }
        }
    }

    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // A server that has heard enough may close.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func read(until text: String) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            bytes += piece.prefix(count)
            if String(decoding: bytes, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
