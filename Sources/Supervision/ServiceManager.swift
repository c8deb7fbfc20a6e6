import Glibc

/// The service manager that started this process, such as systemd: it is told when the service is ready, and that it
/// still works.
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
    private let address: UnixAddress

    /// A manager that reads too slowly must not hold up the service for longer.
    private static let timeout = timeval(tv_sec: 1, tv_usec: 0)

    /// Finds the manager in the environment of a process; nil without one, or where its socket is of another kind.
    ///
    /// - Parameters:
    ///   - environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///   - process: The process whose environment that is. A watchdog of another one is none.
    public init?(environment: [String: String], process: Int32 = getpid()) {
        guard let address = environment["NOTIFY_SOCKET"].flatMap(UnixAddress.init) else { return nil }
        self.address = address
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
        return address.send(Array(message.rawValue.utf8), from: descriptor)
    }
}
