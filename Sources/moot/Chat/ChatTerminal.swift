// Sources of Dispatch may be canceled from anywhere; on Linux their protocols do not say so.
@preconcurrency import Dispatch
import Glibc
import LocalAPIModel
import Synchronization

/// The terminal while a conversation has all of it: every key is handed over, and the screen is one of its own, behind which
/// the user's stays as it was.
enum ChatTerminal {
    /// How the terminal was before; nil while it is the user's.
    private static let before = Mutex<termios?>(nil)

    /// Takes the terminal.
    ///
    /// - Throws: `invalid_request` if there is none.
    static func enter() throws(Failure) {
        var settings = termios()
        guard Terminal.isTerminal(.output), tcgetattr(Terminal.Stream.input.rawValue, &settings) == 0 else {
            throw Failure(
                .invalidRequest, "There is no terminal to chat in",
                hint: "Elsewhere there are: moot read, moot watch and moot send")
        }
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
        // The other screen, and pastes that are told apart from typing.
        write("\u{1B}[?1049h\u{1B}[?2004h")
    }

    /// Gives the terminal back as it was. Doing it again does nothing.
    static func leave() {
        guard
            var settings = before.withLock({ before in
                defer { before = nil }
                return before
            })
        else { return }
        write("\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l")
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

    /// What is typed, piece by piece; ends when the terminal does.
    static var bytes: AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let source = DispatchSource.makeReadSource(fileDescriptor: Terminal.Stream.input.rawValue)
            source.setEventHandler {
                let bytes = Terminal.readInput()
                if bytes.isEmpty { continuation.finish() } else { continuation.yield(bytes) }
            }
            continuation.onTermination = { _ in source.cancel() }
            source.activate()
        }
    }
}
