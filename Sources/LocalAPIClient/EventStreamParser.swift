/// Finds the data of server-sent events in a stream of bytes that arrives in pieces of any size.
struct EventStreamParser {
    /// The longest line taken.
    static let maximumLineBytes = 4 << 20

    private var line: [UInt8] = []
    private var data: [UInt8] = []

    /// Takes the next piece and returns the data of the events it completes.
    ///
    /// - Throws: ``LocalClientError/unreadable(_:)`` if a line exceeds ``maximumLineBytes``.
    mutating func consume(_ piece: some Sequence<UInt8>) throws(LocalClientError) -> [[UInt8]] {
        var completed: [[UInt8]] = []
        for byte in piece {
            guard byte == UInt8(ascii: "\n") else {
                guard line.count < Self.maximumLineBytes else { throw .unreadable("an event is too long") }
                line.append(byte)
                continue
            }
            if line.isEmpty {
                if !data.isEmpty { completed.append(data) }
                data = []
            } else if line.starts(with: Self.dataField) {
                data = Array(line.dropFirst(Self.dataField.count))
            }
            line = []
        }
        return completed
    }

    /// Id and type are also in the data, so the other fields are skipped.
    private static let dataField = Array("data: ".utf8)
}
