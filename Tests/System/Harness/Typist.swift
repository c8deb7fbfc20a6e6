import Foundation

/// A person at a terminal, of whom a program knows only what is typed.
final class Typist: Sendable {
    private struct NoTerminal: Error {}

    private let descriptor: Int32
    /// The terminal as a program opens it.
    let terminal: String

    /// `TIOCSPTLCK` and `TIOCGPTN` (ioctl_tty(2)), whose C macros Swift does not see; nor does it see `posix_openpt`.
    private static let unlock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: Int32 = 0
        guard descriptor >= 0, ioctl(descriptor, Self.unlock, &locked) == 0,
            ioctl(descriptor, Self.number, &number) == 0
        else { throw NoTerminal() }
        terminal = "/dev/pts/\(number)"
    }

    deinit {
        close(descriptor)
    }

    /// Presses keys.
    func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// What the terminal has shown since this was last asked.
    var shown: String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLIN) != 0 else { return "" }
        return String(decoding: bytes.prefix(max(0, read(descriptor, &bytes, bytes.count))), as: UTF8.self)
    }
}
