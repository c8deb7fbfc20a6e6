import Glibc

/// The journal of systemd, where a service writes entries with fields.
///
/// A service whose standard error is not the journal has no value of this type: who started it wants its log there.
public final class Journal: Sendable {
    /// Where the journal of a system listens.
    public static let systemSocket = "/run/systemd/journal/socket"

    private let address: UnixAddress
    private let descriptor: Int32

    /// Finds the journal of a service; nil unless its standard error is what the manager connected to the journal.
    ///
    /// What a service starts inherits the variable, but may have another standard error, such as a terminal
    /// (`systemd.exec(5)`).
    ///
    /// - Parameters:
    ///   - environment: `JOURNAL_STREAM`, the device and the inode of that stream.
    ///   - standardError: the stream that is looked at.
    ///   - socket: where the journal listens.
    public init?(
        environment: [String: String], standardError: Int32 = STDERR_FILENO, socket path: String = systemSocket
    ) {
        var found = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(standardError, &found) == 0,
            stream == "\(found.st_dev):\(found.st_ino)", let address = UnixAddress(path)
        else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        (self.address, self.descriptor) = (address, descriptor)
    }

    deinit { close(descriptor) }

    /// Writes an entry, without waiting for anybody.
    ///
    /// - Returns: whether the journal has it. If it is gone or does not keep up, the entry is the caller's to write
    ///   elsewhere.
    public func write(_ entry: JournalEntry) -> Bool {
        address.send(entry.bytes, from: descriptor, flags: Int32(MSG_DONTWAIT))
    }
}
