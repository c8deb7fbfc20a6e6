import Glibc

/// The only owner of one file descriptor.
///
/// The descriptor is closed exactly once, when the last holder lets go. That is the rule Dispatch needs: a source must
/// not lose its descriptor while it watches it, and each source holds it until its cancellation is through. It also
/// means that no holder can ever use a number that meanwhile belongs to another connection.
final class Descriptor: Sendable {
    /// The number the system knows it by.
    let number: Int32

    /// Takes over a descriptor. Calls on it return instead of wait, and programs started by this one do not get it.
    init(owning number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Opens a socket.
    convenience init(family: Int32, _ type: __socket_type, protocol number: Int32 = 0) throws(TransportError) {
        let descriptor = socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), number)
        guard descriptor >= 0 else { throw TransportError(errno: errno, of: "socket") }
        self.init(owning: descriptor)
    }

    deinit {
        close(number)
    }

    /// Sets an option of a socket that holds a number.
    ///
    /// - Returns: Whether the system took it. For options that only tune it does not matter.
    @discardableResult
    func set(_ level: Int, _ name: Int32, to value: Int32) -> Bool {
        var value = value
        return setsockopt(number, Int32(level), name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// The address the socket is bound to; nil if it is bound to none.
    var localAddress: SocketAddress? {
        SocketAddress.reported { getsockname(number, $0, $1) }
    }

    /// What happened to the socket since this was last asked: an `errno`, or 0.
    func takeError() -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, SO_ERROR, &value, &length) == 0 ? value : errno
    }
}
