// Whoever speaks of errors needs their codes.
@_exported import ErrorCodes

/// A refusal or failure as a user meets it: a stable code, a sentence, and what to do next.
public struct NodeError: Error, Hashable, Sendable, Codable {
    /// Why a request was refused or failed.
    public typealias Code = ErrorCode

    /// The stable code.
    public let code: Code
    /// A sentence a person understands.
    public let message: String
    /// What to do next, or nil where the sentence says it all.
    public let hint: String?

    /// Describes a refusal.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension NodeError {
    /// What is told where no peer can be reached: `network_error`, with the reason next to what to do.
    public static func unreachablePeers(_ reason: String, hint: String) -> NodeError {
        NodeError(.networkError, "Network error. Please try again", hint: "\(reason). \(hint)")
    }

    /// What is told where a group could not be stored: the same code, and the reason next to what to do.
    var asFailedCreation: NodeError {
        guard [.diskFull, .storageFailed].contains(code) else { return self }
        let reason = message.hasSuffix(".") ? message : message + "."
        return NodeError(
            code, "Unable to create group. Please try again.",
            hint: [reason, hint].compactMap(\.self).joined(separator: " "))
    }
}
