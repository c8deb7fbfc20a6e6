/// What a signature covers: a label that says what kind of thing is signed, then length-framed fields.
///
/// The framing keeps two different lists of fields from becoming the same bytes, the label one kind from passing as
/// another.
public struct Statement: Hashable, Sendable {
    /// The bytes to sign.
    public private(set) var bytes: [UInt8]

    /// Begins a statement of a kind, for example `moot/1/channel`.
    public init(_ kind: StaticString) {
        bytes = Array(kind.description.utf8)
    }

    /// Appends a field: its length in four bytes, most significant first, then its bytes.
    public mutating func append(_ field: [UInt8]) {
        withUnsafeBytes(of: UInt32(field.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: field)
    }
}
