import Cryptography

/// An authentic operation: its header is covered by its author's signature, directly or through the chain of a batch.
///
/// A value of this type can only be made by signing, by verifying, or by reading back what a replica verified before.
/// The body, when it is here, has the length and digest the header names.
public struct Operation: Hashable, Sendable {
    /// The header.
    @inlinable public var header: OperationHeader { parts.header }
    /// Its name.
    @inlinable public var id: OperationID { parts.id }
    /// The device that wrote it, with its keys.
    @inlinable public var author: Device { parts.author }
    /// The body, or nil where it is not here (closed, deleted or wanted).
    public let body: [UInt8]?
    /// The author's signature over the id, where this replica holds it: always in the membership lane, else at least at
    /// the end of each chain of each commit.
    @inlinable public var signature: Signature? { parts.signature }

    /// The parts are in one place, however many lists an operation goes through, with or without its body: a copy is a
    /// reference instead of half a kilobyte.
    @usableFromInline let parts: Parts

    @usableFromInline
    final class Parts: Sendable {
        @usableFromInline let header: OperationHeader
        @usableFromInline let id: OperationID
        @usableFromInline let author: Device
        @usableFromInline let signature: Signature?

        init(_ header: OperationHeader, _ id: OperationID, _ author: Device, _ signature: Signature?) {
            self.header = header
            self.id = id
            self.author = author
            self.signature = signature
        }
    }

    /// Trusts that the parts belong together; for code that has just checked them.
    init(authentic header: OperationHeader, id: OperationID, author: Device, body: [UInt8]?, signature: Signature?) {
        self.init(Parts(header, id, author, signature), body: body)
    }

    private init(_ parts: Parts, body: [UInt8]?) {
        self.parts = parts
        self.body = body
    }

    /// Equal parts.
    public static func == (left: Operation, right: Operation) -> Bool {
        left.body == right.body
            && (left.parts === right.parts
                || left.id == right.id && left.header == right.header && left.author == right.author
                    && left.signature == right.signature)
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// Reads back an operation that this replica verified before it stored it.
    ///
    /// - Throws: ``MalformedBytes`` if the stored header is damaged.
    public init(
        stored header: OperationHeader, id: OperationID, author: Device, body: [UInt8]?, signature: Signature?
    ) throws(MalformedBytes) {
        try header.checkShape()
        self.init(authentic: header, id: id, author: author, body: body, signature: signature)
    }

    /// Verifies an operation that travels alone with its own signature.
    ///
    /// - Complexity: one signature check, about 100 µs.
    public init(
        verifying header: [UInt8], author: Device, body: [UInt8]?, signature: Signature
    ) throws(MalformedBytes) {
        let decoded = try OperationHeader(decoding: header)
        guard decoded.device == author.id else { throw .invalid(field: "device") }
        if let body {
            guard body.count == decoded.bodyLength, Self.digest(of: body) == decoded.bodyDigest else {
                throw .invalid(field: "body")
            }
        }
        let id = Self.id(of: header)
        guard author.key.verifies(signature, of: Self.statement(of: id)) else { throw .signature(field: "operation") }
        self.init(authentic: decoded, id: id, author: author, body: body, signature: signature)
    }

    /// The same operation without its body: what those get who may not read it.
    public var withoutBody: Operation {
        Operation(parts, body: nil)
    }

    /// The longest body that is held in memory for as long as the operation is; of longer ones the disk has the only
    /// copy.
    package static let maximumHeldBodyBytes = 2_048

    /// The same operation without a body that is longer than is held in memory.
    package var withoutLongBody: Operation { header.bodyLength > Self.maximumHeldBodyBytes ? withoutBody : self }

    /// The same operation with a body that came later; nil if it is not the body its author signed.
    public func with(body: [UInt8]) -> Operation? {
        guard body.count == header.bodyLength, Self.digest(of: body) == header.bodyDigest else { return nil }
        return Operation(parts, body: body)
    }

    /// `BLAKE2b-256("moot/1/op" ‖ header)`.
    public static func id(of header: [UInt8]) -> OperationID {
        OperationID(digest: .hash("moot/1/op", header))
    }

    /// `BLAKE2b-256("moot/1/body" ‖ body)`.
    public static func digest(of body: [UInt8]) -> Digest {
        .hash("moot/1/body", body)
    }

    /// What an operation's signature covers: the id, framed under its own label.
    public static func statement(of id: OperationID) -> [UInt8] {
        var statement = Statement("moot/1/sig")
        statement.append(id.digest.bytes)
        return statement.bytes
    }

    /// Room that any operation takes, in bytes.
    public static let minimumFootprint = 256

    /// Room the operation takes in a queue, in bytes.
    public var footprint: Int { Self.minimumFootprint + 32 * header.dependencies.count + header.bodyLength }
}
