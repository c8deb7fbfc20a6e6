import Glibc
import LocalAPIModel

/// A line that is typed on the terminal and not shown.
///
/// The terminal hands over every key, so that nothing typed waits in its buffers, and no signal from the keyboard can
/// end the program while it shows nothing.
enum HiddenInput {
    /// Asks, and reads what is typed into memory of the caller's choice; what has no room is not kept.
    ///
    /// - Parameter givenUp: what is thrown if the line is given up.
    /// - Returns: How many bytes were typed, the end of the line not counted.
    static func read(
        question: String, into room: UnsafeMutableRawBufferPointer, otherwise givenUp: Failure
    ) throws(Failure) -> Int {
        var shown = termios()
        guard tcgetattr(Terminal.Stream.input.rawValue, &shown) == 0 else { throw givenUp }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        withUnsafeMutableBytes(of: &hidden.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        guard tcsetattr(Terminal.Stream.input.rawValue, TCSAFLUSH, &hidden) == 0 else { throw givenUp }
        Terminal.write(Array(question.utf8), to: .error)
        let end = keys(into: room)
        tcsetattr(Terminal.Stream.input.rawValue, TCSAFLUSH, &shown)
        Terminal.write(Array("\n".utf8), to: .error)
        switch end {
        case .line(let count):
            return count
        case .hangUp:
            throw givenUp
        case .interrupt:
            // As a shell reports it. Threads of the concurrency runtime block the signal itself.
            exit(128 + SIGINT)
        }
    }

    /// How typing ended.
    private enum End {
        case line(count: Int)
        case hangUp
        case interrupt
    }

    private static func keys(into room: UnsafeMutableRawBufferPointer) -> End {
        var count = 0
        while true {
            var key: UInt8 = 0
            let result = Glibc.read(Terminal.Stream.input.rawValue, &key, 1)
            if result < 0, errno == EINTR { continue }
            guard result == 1 else { return .hangUp }
            switch key {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .line(count: count)
            case 0x03: return .interrupt
            case 0x04 where count == 0: return .hangUp
            case 0x04: return .line(count: count)
            case 0x08, 0x7F: count = withoutLastCharacter(room, count)
            case 0x15: count = 0
            // Arrows and the like are no text; a tab is.
            case ..<0x20 where key != 0x09: break
            default:
                guard count < room.count else { break }
                room[count] = key
                count += 1
            }
        }
    }

    /// Takes away the bytes that continue a character of UTF-8, and the one that begins it.
    private static func withoutLastCharacter(_ room: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
        var count = count
        while count > 0 {
            count -= 1
            if room[count] & 0xC0 != 0x80 { break }
        }
        return count
    }
}
