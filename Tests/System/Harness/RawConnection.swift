import Foundation
import Testing

/// A TCP connection of a stranger who sends whatever bytes they like.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects to `127.0.0.1:PORT`.
    init(to address: String) throws {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) }, "no port in \(address)")
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        try #require(result == 0, "cannot connect to \(address)")
    }

    /// Sends as much as the other side takes; a stranger may be cut off at any byte.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    deinit {
        close(descriptor)
    }
}
