/// The lines of a stream of bytes, one after the other; never more than one of them is kept.
public struct ScenarioLines: ~Copyable {
    /// A line, or why there is none to read.
    public struct Line: Sendable {
        /// Its number; the first is 1.
        public let number: Int
        /// Its bytes, without the line break.
        public let bytes: Result<[UInt8], MalformedScenario>
    }

    /// The most bytes a line may have.
    public static let maximumLineBytes = 16 << 20

    private let maximumBytes: Int
    private let read: () throws -> [UInt8]
    private var arrived: ArraySlice<UInt8> = []
    private var line: [UInt8] = []
    private var isTooLong = false
    private var number = 0

    /// Begins before the first line.
    ///
    /// - Parameters:
    ///   - maximumBytes: the most bytes a line may have. What a longer one holds is dropped as it arrives.
    ///   - read: gives the bytes that come next, empty at their end.
    public init(maximumBytes: Int = maximumLineBytes, reading read: @escaping () throws -> [UInt8]) {
        self.maximumBytes = maximumBytes
        self.read = read
    }

    /// The next line that is not blank; nil at the end. What has no line break at the end is a line too.
    ///
    /// - Throws: what reading throws.
    public mutating func next() throws -> Line? {
        while true {
            if arrived.isEmpty {
                arrived = try read()[...]
                if arrived.isEmpty { return line.isEmpty && !isTooLong ? nil : complete() }
            }
            guard let end = arrived.firstIndex(of: UInt8(ascii: "\n")) else {
                append(arrived)
                arrived = []
                continue
            }
            append(arrived[..<end])
            arrived = arrived[(end + 1)...]
            if let line = complete() { return line }
        }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        isTooLong = isTooLong || bytes.count > maximumBytes - line.count
        if isTooLong { line = [] } else { line += bytes }
    }

    private mutating func complete() -> Line? {
        number += 1
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        if isTooLong { return Line(number: number, bytes: .failure(.tooLong(limit: maximumBytes))) }
        return line.allSatisfy(Self.isBlank) ? nil : Line(number: number, bytes: .success(line))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
