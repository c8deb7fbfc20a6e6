import OperationLog

/// ``PeerMessage/hello(replicaEpoch:port:_:)`` as bytes.
enum HelloMessage {
    static let kind: UInt8 = 1

    static func write(epoch: [UInt8], port: UInt16, introduction: [UInt8], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(raw: epoch)
        writer.write(number: UInt64(port))
        writer.write(data: introduction)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let epoch = try reader.raw(16)
        let port = try reader.count(of: "port", limit: Int(UInt16.max))
        return .hello(
            replicaEpoch: epoch, port: UInt16(port),
            try reader.data(of: "introduction", limit: Introduction.maximumBytes))
    }
}
