/// Lines of a stream of bytes, gathered into batches that the node takes in one request and stores in one commit.
struct LineBatches {
    /// The longest line taken. The node refuses longer texts anyway; this bounds what is kept before asking it.
    static let maximumLineBytes = 64 << 10
    /// The largest batch in bytes of JSON, well below the largest body of a request.
    static let maximumBatchBytes = 512 << 10

    /// A line that cannot be a message.
    enum BadLine: Error, Hashable {
        case tooLong(line: Int)
        case notUnicode(line: Int)
    }

    private let maximumLines: Int
    private var partial: [UInt8] = []
    private var lines: [String] = []
    private var size = 0
    private var lineNumber = 0
    private var full: [[String]] = []

    /// Begins with nothing gathered.
    init(maximumLines: Int) {
        self.maximumLines = maximumLines
    }

    /// Takes the next bytes. Blank lines are no messages and are skipped.
    mutating func take(_ bytes: [UInt8]) throws(BadLine) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try append(rest[..<end])
            try completeLine()
            rest = rest[(end + 1)...]
        }
        try append(rest)
    }

    /// Takes the end of the stream: what has no line break yet is a line too.
    mutating func finish() throws(BadLine) {
        if !partial.isEmpty { try completeLine() }
    }

    /// The next full batch; with `partly` also one that could still grow.
    mutating func next(partly: Bool) -> [String]? {
        if !full.isEmpty { return full.removeFirst() }
        guard partly, !lines.isEmpty else { return nil }
        defer { startBatch() }
        return lines
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(BadLine) {
        guard partial.count + bytes.count <= Self.maximumLineBytes else { throw .tooLong(line: lineNumber + 1) }
        partial += bytes
    }

    private mutating func completeLine() throws(BadLine) {
        lineNumber += 1
        defer { partial.removeAll(keepingCapacity: true) }
        if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
        guard let line = String(validating: partial, as: UTF8.self) else { throw .notUnicode(line: lineNumber) }
        guard !line.allSatisfy(\.isWhitespace) else { return }
        let encoded = Self.encodedSize(of: partial)
        if lines.count == maximumLines || size + encoded > Self.maximumBatchBytes {
            full.append(lines)
            startBatch()
        }
        lines.append(line)
        size += encoded
    }

    private mutating func startBatch() {
        lines = []
        size = 0
    }

    /// An upper bound of the line's size as a JSON string with a comma.
    private static func encodedSize(of line: [UInt8]) -> Int {
        line.reduce(3) { size, byte in
            switch byte {
            case ..<0x20, 0x7F: size + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
            default: size + 1
            }
        }
    }
}
