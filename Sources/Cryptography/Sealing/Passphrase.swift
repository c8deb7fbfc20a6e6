import CSodium

/// What a person remembers to open a home: one line in guarded memory, wiped when the last holder lets go.
///
/// Its bytes are taken as they were typed: nothing is trimmed but the end of the line, and nothing is normalized.
public final class Passphrase: @unchecked Sendable {
    // Safe to share: the memory is written once, in the initializer, and only read from then on.
    private let memory: UnsafeMutableRawPointer
    /// How many bytes there are.
    public let count: Int

    /// The most bytes a passphrase may have.
    public static let maximumBytes = 1_024

    /// Lets `read` write at most as many bytes as there is room for, and return how many.
    ///
    /// A newline at the end is taken away, with a carriage return before it. There is a little more room than a
    /// passphrase needs, so that one too long is noticed.
    ///
    /// - Returns: nil unless there is one line of 1 to ``maximumBytes`` bytes, without zeros.
    public init?<Failure>(
        reading read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let room = Self.maximumBytes + 3
        guard Sodium.isReady, let memory = sodium_malloc(room) else {
            preconditionFailure("no guarded memory is left for a passphrase")
        }
        self.memory = memory
        sodium_memzero(memory, room)
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: room)
        var line: Slice<UnsafeMutableRawBufferPointer>
        do throws(Failure) {
            line = bytes.prefix(try read(bytes))
        } catch {
            sodium_free(memory)
            throw error
        }
        if line.last == UInt8(ascii: "\n") {
            line.removeLast()
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
        }
        count = line.count
        let isOneLine = !line.contains { [0, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
        // From here on all properties are set, so that a nil runs the deinitializer.
        guard isOneLine, (1...Self.maximumBytes).contains(count) else { return nil }
    }

    /// Copies text; wiping the original is the caller's.
    public convenience init?(_ text: String) {
        self.init { room in
            let bytes = text.utf8.prefix(room.count)
            room.copyBytes(from: bytes)
            return bytes.count
        }
    }

    deinit {
        sodium_free(memory)
    }

    /// Whether both are the same; of those as long as each other, in the same time wherever they differ.
    public func isSame(as other: Passphrase) -> Bool {
        count == other.count && sodium_memcmp(memory, other.memory, count) == 0
    }

    /// Lends the bytes; they must not be kept.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// The start of the bytes, for the C functions of this module.
    var start: UnsafePointer<CChar> { UnsafePointer(memory.assumingMemoryBound(to: CChar.self)) }
}
