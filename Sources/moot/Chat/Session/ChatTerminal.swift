// Sources of Dispatch may be canceled from anywhere; on Linux their protocols do not say so.
@preconcurrency import Dispatch
import Glibc
import LocalAPIModel
import Synchronization

/// The terminal while a conversation has all of it: every key is handed over, and the screen is one of its own, behind
/// which the user's stays as it was.
enum ChatTerminal {
    /// How the terminal was before; nil while it is the user's.
    private static let before = Mutex<termios?>(nil)

    /// Takes the terminal.
    ///
    /// - Throws: `invalid_request` if there is none.
    static func enter() throws(Failure) {
        let settings = try check()
        take(settings)
    }

    /// Looks whether there is a terminal, and how it is.
    ///
    /// - Throws: `invalid_request` if there is none.
    @discardableResult
    static func check() throws(Failure) -> termios {
        var settings = termios()
        guard Terminal.isTerminal(.output), tcgetattr(Terminal.Stream.input.rawValue, &settings) == 0 else {
            throw Failure(
                .invalidRequest, "There is no terminal to chat in",
                hint: "Elsewhere there are: moot read, moot watch and moot send")
        }
        return settings
    }

    private static func take(_ found: termios) {
        var settings = found
        before.withLock { $0 = settings }
        // Wherever the program ends, the terminal is given back.
        atexit { ChatTerminal.leave() }
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | ISTRIP)
        withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        tcsetattr(Terminal.Stream.input.rawValue, TCSAFLUSH, &settings)
        // The other screen, pastes that are told apart from typing, and rows that end where they end, also if a
        // terminal draws them wider.
        write("\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?7l")
    }

    /// Gives the terminal back as it was. Doing it again does nothing.
    static func leave() {
        guard
            var settings = before.withLock({ before in
                defer { before = nil }
                return before
            })
        else { return }
        write("\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(Terminal.Stream.input.rawValue, TCSAFLUSH, &settings)
    }

    static func write(_ text: String) {
        Terminal.write(Array(text.utf8), to: .output)
    }

    /// How much room there is; what a terminal does not say is taken to be as on the first ones.
    static var size: ChatSize {
        var size = winsize()
        guard ioctl(Terminal.Stream.output.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
        else { return ChatSize(rows: 24, columns: 80) }
        return ChatSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    /// Milliseconds in which a terminal sends the rest of a sequence that begins with Escape.
    private static let sequenceTime: Int32 = 50

    /// Reads what is typed while the terminal is taken.
    private static let reader = Mutex<(any DispatchSourceRead)?>(nil)

    /// What is typed, piece by piece; an empty piece where nothing followed an Escape. Ends when the terminal does.
    static var bytes: AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let source = DispatchSource.makeReadSource(fileDescriptor: Terminal.Stream.input.rawValue)
            source.setEventHandler {
                let bytes = Terminal.readInput()
                guard let last = bytes.last else { return continuation.finish() }
                continuation.yield(bytes)
                if last == 0x1B, !Terminal.hasInput(within: sequenceTime) { continuation.yield([]) }
            }
            continuation.onTermination = { _ in
                reader.withLock { $0 = nil }
                source.cancel()
            }
            reader.withLock { $0 = source }
            source.activate()
        }
    }

    /// Gives the terminal to something else, and takes it again afterwards.
    static func lend<Result: Sendable>(_ use: () async -> Result) async -> Result {
        // Who has the terminal meanwhile is to get what is typed.
        let source = reader.withLock { $0 }
        source?.suspend()
        leave()
        let result = await use()
        // It was ours before, and is a terminal still; if it is gone, the next read tells.
        try? enter()
        source?.resume()
        return result
    }

    /// Stops the program, as terminals do at Ctrl-Z; returns when the shell lets it go on, or at once where there is
    /// none.
    static func suspend() async {
        await lend { stop() }
    }

    /// Threads on which tasks run hear no signals: this one has to, or else nothing stops.
    private static func stop() {
        var signal = sigset_t()
        var before = sigset_t()
        sigemptyset(&signal)
        sigaddset(&signal, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &signal, &before)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
