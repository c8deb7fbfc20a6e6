import FoundationEssentials

/// Finds a key that an object of a JSON text has twice (RFC 8259, section 4, leaves its meaning open).
enum DuplicateKey {
    /// The first repeated key, or nil.
    ///
    /// - Parameter bytes: JSON that a decoder has read; in anything else some key may be found or none.
    /// - Complexity: O(*n*), and no recursion however deep the nesting.
    static func find(in bytes: [UInt8]) -> String? {
        /// The keys so far of each object around the place, the innermost last; nil for a list.
        var containers: [Set<String>?] = []
        var position = 0
        var isKeyNext = false
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"):
                containers.append([])
                isKeyNext = true
            case UInt8(ascii: "["):
                containers.append(nil)
                isKeyNext = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = containers.popLast()
                isKeyNext = false
            case UInt8(ascii: ","):
                isKeyNext = containers.last.map { $0 != nil } ?? false
            case UInt8(ascii: "\""):
                let end = endOfString(in: bytes, from: position)
                if isKeyNext, let key = text(of: bytes[position..<end]), let last = containers.indices.last {
                    guard containers[last]?.insert(key).inserted ?? true else { return key }
                }
                isKeyNext = false
                position = end - 1
            default:
                break
            }
            position += 1
        }
        return nil
    }

    /// Where a string ends that begins at a quotation mark: behind its second one.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""): return position + 1
            default: position += 1
            }
        }
        return bytes.count
    }

    /// A string without its marks and escapes: "a" and "\u0061" are one key.
    private static func text(of string: ArraySlice<UInt8>) -> String? {
        guard string.contains(UInt8(ascii: "\\")) else {
            return String(validating: string.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(string))
    }
}
