import OperationLog

/// ``PeerMessage/parting`` as bytes.
enum PartingMessage {
    static let kind: UInt8 = 32

    static func write(to writer: inout CanonicalWriter) { writer.write(byte: kind) }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage { .parting }
}
