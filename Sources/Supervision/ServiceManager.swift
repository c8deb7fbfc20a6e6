import Glibc

/// The service manager that started this process, such as systemd: it is told when the service is ready, and that it still works.
///
/// Messages are datagrams to a Unix socket, as sd_notify(3) has them. Without a manager there is no value of this type.
public struct ServiceManager: Sendable {
    /// What a manager is told.
    public enum Message: String, Hashable, Sendable {
        /// The service does what it is for from now on.
        case ready = "READY=1"
        /// It works; without this for ``watchdogInterval`` the manager ends it.
        case alive = "WATCHDOG=1"
        /// It is about to end.
        case stopping = "STOPPING=1"
    }

    /// After how long without ``Message/alive`` the manager takes the service for stuck; nil if it does not watch.
    public let watchdogInterval: Duration?
    private let address: sockaddr_un
    private let addressLength: socklen_t

    /// A manager that reads too slowly must not hold up the service for longer.
    private static let timeout = timeval(tv_sec: 1, tv_usec: 0)

    /// Finds the manager in the environment of a process; nil without one, or where its socket is of another kind.
    ///
    /// - Parameters:
    ///   - environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///   - process: The process whose environment that is. A watchdog of another one is none.
    public init?(environment: [String: String], process: Int32 = getpid()) {
        guard let (address, length) = environment["NOTIFY_SOCKET"].flatMap(Self.address) else { return nil }
        self.address = address
        addressLength = length
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        watchdogInterval = isMeant ? microseconds.map { .microseconds($0) } : nil
    }

    /// Tells the manager something.
    ///
    /// - Returns: whether it was handed over. A service goes on if not: the manager may be about to end as well.
    @discardableResult
    public func tell(_ message: Message) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var timeout = Self.timeout
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = address
        let bytes = Array(message.rawValue.utf8)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), place, addressLength)
            }
        }
        return sent == bytes.count
    }

    /// The address of a socket: a path, or behind `@` a name in the abstract namespace, which no folder has.
    private static func address(_ name: String) -> (sockaddr_un, socklen_t)? {
        var bytes = Array(name.utf8)
        guard bytes.count > 1, !bytes.contains(0) else { return nil }
        let isAbstract = name.hasPrefix("@")
        guard isAbstract || name.hasPrefix("/") else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A path ends with a zero; the length alone ends an abstract name, which begins with one.
        if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count <= room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return (address, socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count))
    }
}
