// Whoever speaks of errors needs their codes.
@_exported import ErrorCodes

/// An error as every answer of the local API carries it: `{"error": {"code", "message", "hint"}}`.
public struct ErrorDescription: Hashable, Sendable, Codable {
    /// What went wrong.
    public struct Detail: Hashable, Sendable, Codable {
        /// The stable code, for programs.
        public var code: String
        /// A sentence, for people.
        public var message: String
        /// What to do next, where the sentence does not say it all.
        public var hint: String?

        /// Describes what went wrong.
        public init(code: String, message: String, hint: String? = nil) {
            self.code = code
            self.message = message
            self.hint = hint
        }
    }

    /// What went wrong.
    public var error: Detail

    /// Wraps what went wrong in the shape of an answer.
    public init(_ error: Detail) {
        self.error = error
    }
}
