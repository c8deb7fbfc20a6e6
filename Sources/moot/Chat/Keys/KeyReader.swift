/// Turns the bytes of a terminal into keys: UTF-8, control characters, the sequences of xterm and those like it, and
/// bracketed paste. Pieces may end anywhere.
struct KeyReader {
    /// The longest sequence that any key sends; a longer one is none.
    private static let maximumSequenceBytes = 32
    /// The most bytes of one paste; the rest is dropped.
    private static let maximumPasteBytes = 1 << 20

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd: [UInt8] = [escape] + Array("[201~".utf8)

    private var rest: [UInt8] = []
    private var paste: [UInt8]?

    /// Takes what arrived, and returns the keys that it completes.
    mutating func consume(_ bytes: [UInt8]) -> [Key] {
        rest += bytes
        var keys: [Key] = []
        while !rest.isEmpty {
            if paste != nil {
                guard let key = nextOfPaste() else { break }
                keys.append(key)
            } else {
                guard let (key, count) = next() else { break }
                rest.removeFirst(count)
                if let key { keys.append(key) }
            }
        }
        return keys
    }

    /// Tells that nothing followed for a moment: what may have been the beginning of a sequence was the key Escape.
    mutating func pause() -> [Key] {
        guard paste == nil, rest == [Self.escape] else { return [] }
        rest = []
        return [.escape]
    }

    /// The next key and how many bytes it took; nil while it is incomplete. What means nothing here takes bytes and is
    /// no key.
    private mutating func next() -> (key: Key?, count: Int)? {
        switch rest[0] {
        case Self.escape: sequence()
        case 0x01: (.home, 1)
        case 0x02: (.left, 1)
        case 0x03: (.interrupt, 1)
        case 0x04: (.endOfInput, 1)
        case 0x05: (.end, 1)
        case 0x06: (.right, 1)
        case 0x08, 0x7F: (.backspace, 1)
        case 0x09: (.tab, 1)
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): (.enter, 1)
        case 0x0B: (.deleteToEnd, 1)
        case 0x0C: (.redraw, 1)
        case 0x0E: (.recallLater, 1)
        case 0x10: (.recallEarlier, 1)
        case 0x15: (.deleteToStart, 1)
        case 0x17: (.deleteWord, 1)
        case 0x18: chord()
        case 0x1A: (.suspend, 1)
        case ..<0x20: (nil, 1)
        default: text()
        }
    }

    /// Ctrl-X begins keys of two.
    private func chord() -> (key: Key?, count: Int)? {
        guard rest.count > 1 else { return nil }
        return rest[1] == 0x05 ? (.openEditor, 2) : (nil, 1)
    }

    private func text() -> (key: Key?, count: Int)? {
        var run = rest.prefix { $0 >= 0x20 && $0 != 0x7F }
        if run.count == rest.count { run = run.dropLast(Self.unfinished(run)) }
        guard !run.isEmpty else { return nil }
        return (.text(String(decoding: run, as: UTF8.self)), run.count)
    }

    /// How many bytes at the end begin a character that is not all there.
    private static func unfinished(_ bytes: ArraySlice<UInt8>) -> Int {
        for (distance, byte) in bytes.reversed().prefix(4).enumerated() {
            let length =
                switch byte {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                case 0x80...0xBF: 0
                default: 1
                }
            if length > 0 { return length > distance + 1 ? distance + 1 : 0 }
        }
        return 0
    }

    private mutating func sequence() -> (key: Key?, count: Int)? {
        guard rest.count > 1 else { return nil }
        switch rest[1] {
        case UInt8(ascii: "["):
            guard let last = rest.dropFirst(2).firstIndex(where: { 0x40...0x7E ~= $0 }) else {
                return rest.count < Self.maximumSequenceBytes ? nil : (nil, rest.count)
            }
            let parameters = String(decoding: rest[2..<last], as: UTF8.self)
            if parameters == "200", rest[last] == UInt8(ascii: "~") {
                paste = []
                return (nil, last + 1)
            }
            return (Self.key(parameters, ending: rest[last]), last + 1)
        case UInt8(ascii: "O"):
            guard rest.count > 2 else { return nil }
            return (Self.key("", ending: rest[2]), 3)
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return (.lineBreak, 2)
        case UInt8(ascii: "a"): return (.conversationUnread, 2)
        case UInt8(ascii: "0"): return (.conversation(10), 2)
        case let digit where (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit):
            return (.conversation(Int(digit - UInt8(ascii: "0"))), 2)
        case UInt8(ascii: "b"): return (.wordLeft, 2)
        case UInt8(ascii: "f"): return (.wordRight, 2)
        case 0x7F, 0x08: return (.deleteWord, 2)
        // Escape, and then something else at once.
        default: return (.escape, 1)
        }
    }

    /// The key of a control sequence; with a modifier the arrows to the sides go by words, and with Alt the others by
    /// conversations.
    private static func key(_ parameters: String, ending: UInt8) -> Key? {
        let isModified = parameters.contains(";")
        // A modifier is one more than the sum of 1 for Shift, 2 for Alt and 4 for Ctrl.
        let modifier = isModified ? parameters.split(separator: ";").last.flatMap { UInt8($0) } ?? 1 : 1
        let hasAlt = (modifier &- 1) & 2 != 0
        switch ending {
        case UInt8(ascii: "A"): return hasAlt ? .conversationBefore : .up
        case UInt8(ascii: "B"): return hasAlt ? .conversationAfter : .down
        case UInt8(ascii: "C"): return isModified ? .wordRight : .right
        case UInt8(ascii: "D"): return isModified ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "~"):
            switch parameters.prefix(while: { $0 != ";" }) {
            case "1", "7": return .home
            case "3": return .delete
            case "4", "8": return .end
            case "5": return .pageUp
            case "6": return .pageDown
            default: return nil
            }
        default: return nil
        }
    }

    private mutating func nextOfPaste() -> Key? {
        let pasted = (paste ?? []) + rest
        guard let end = pasted.firstRange(of: Self.pasteEnd) else {
            rest = []
            // What is too much is dropped, but not what may be the beginning of the end.
            paste =
                pasted.count <= Self.maximumPasteBytes
                ? pasted : Array(pasted.prefix(Self.maximumPasteBytes)) + pasted.suffix(Self.pasteEnd.count - 1)
            return nil
        }
        rest = Array(pasted[end.upperBound...])
        paste = nil
        return .paste(String(decoding: pasted[..<end.lowerBound], as: UTF8.self))
    }
}

extension Array where Element: Equatable {
    /// Where another array occurs first.
    fileprivate func firstRange(of other: [Element]) -> Range<Int>? {
        guard count >= other.count else { return nil }
        let start = (0...(count - other.count)).first {
            self[$0] == other[0] && self[$0..<$0 + other.count].elementsEqual(other)
        }
        return start.map { $0..<$0 + other.count }
    }
}
