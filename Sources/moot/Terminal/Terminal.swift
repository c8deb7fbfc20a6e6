import Glibc

/// The process's standard streams.
enum Terminal {
    /// One of the three.
    enum Stream: Int32 {
        case input = 0
        case output = 1
        case error = 2
    }

    /// Whether a person is at the other end.
    static func isTerminal(_ stream: Stream) -> Bool {
        isatty(stream.rawValue) == 1
    }

    /// Whether the terminal says that it can do nothing but print lines.
    static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? false }

    /// Columns of the terminal; nil where there is none, or it does not say.
    static func columns(_ stream: Stream) -> Int? {
        var size = winsize()
        guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether colors and weights are welcome (https://no-color.org).
    static func wantsStyle(_ stream: Stream) -> Bool {
        guard isTerminal(stream) else { return false }
        guard let unwanted = getenv("NO_COLOR") else { return true }
        return unwanted.pointee == 0
    }

    /// Writes everything, in as few calls as the stream takes.
    ///
    /// A reader that has seen enough and left, like `head`, ends the program in silence; a disk that is full ends it
    /// with a message, so that nobody takes half an answer for the whole.
    static func write(_ bytes: [UInt8], to stream: Stream) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(stream.rawValue, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: break
            case EAGAIN: waitUntilWritable(stream)
            case EPIPE: exit(ExitStatus.done.rawValue)
            default:
                guard stream == .output else { return }
                let reason = String(cString: strerror(errno))
                write(Array("error: Standard output cannot be written: \(reason)\n".utf8), to: .error)
                exit(ExitStatus.tryAgain.rawValue)
            }
        }
    }

    private static func waitUntilWritable(_ stream: Stream) {
        var descriptor = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&descriptor, 1, -1)
    }

    /// Reads what has arrived on standard input, at most 64 KiB; empty at its end.
    static func readInput() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            var result: Int
            repeat {
                result = read(Stream.input.rawValue, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
    }

    /// Whether more has arrived on standard input already, or arrives within some milliseconds.
    static func hasInput(within milliseconds: Int32 = 0) -> Bool {
        var descriptor = pollfd(fd: Stream.input.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) > 0
    }
}
