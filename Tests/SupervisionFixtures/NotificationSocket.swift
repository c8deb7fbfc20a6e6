import Dispatch
import Glibc

/// The socket of a service manager or of a journal, made by a test.
public final class NotificationSocket: Sendable {
    /// The socket could not be made.
    public struct Unavailable: Error {
        /// The system's number for why.
        public let reason: Int32
    }

    /// What `NOTIFY_SOCKET` says of it.
    public let name: String
    private let descriptor: Int32

    /// Makes a socket.
    ///
    /// - Parameter name: A path, or behind `@` a name in the abstract namespace.
    public init(_ name: String) throws(Unavailable) {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8) + [0]
        let room = MemoryLayout.size(ofValue: address.sun_path)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes.prefix(room)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw Unavailable(reason: errno) }
    }

    deinit { close(descriptor) }

    /// The next message; nil if none comes in time.
    public func next(within limit: Duration) async -> String? {
        // Whoever is to send it may need the thread on which this is called.
        await withCheckedContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(returning: self.receive(within: limit)) }
        }
    }

    private func receive(within limit: Duration) -> String? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(limit / .milliseconds(1))) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
