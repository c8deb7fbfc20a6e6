/// The name of a register: bytes of UTF-8. Which texts are canonically equivalent, and so equal as strings, depends on
/// the version of Unicode that a program knows, and replicas must not.
public struct RegisterName: Hashable, Sendable, ExpressibleByStringLiteral {
    private let bytes: [UInt8]

    /// Names a register.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Names a register.
    public init(stringLiteral text: String) { self.init(text) }

    /// The name as a text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
