import OperationLog

/// What a decoder made of some bytes.
public enum Outcome: Hashable, Sendable {
    /// They are valid.
    case accepted
    /// They are refused with the error of this code.
    case refused(String)

    /// `accepted`, or the code.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .refused(let code): code
        }
    }

    /// Runs a decoder; its typed error is an outcome, what the promises say of its result is not.
    static func of<Value>(
        _ decode: () throws(MalformedBytes) -> Value, then promises: (Value) throws -> Void
    ) throws -> Outcome {
        let value: Value
        do throws(MalformedBytes) {
            value = try decode()
        } catch {
            return .refused(error.code)
        }
        try promises(value)
        return .accepted
    }
}

/// A decoder did what it promises never to do.
public struct BrokenPromise: Error, CustomStringConvertible {
    /// What was promised.
    public let description: String
}

/// Insists on a promise.
func promise(_ promise: String, _ isKept: Bool) throws {
    guard isKept else { throw BrokenPromise(description: promise) }
}
