import LocalAPIClient
import LocalAPIModel
import NodeCore

/// A refusal that the command itself decides on.
struct Failure: Error {
    let detail: ErrorDescription.Detail

    /// Refuses with a code of the interface.
    init(_ code: ErrorCode, _ message: String, hint: String? = nil) {
        detail = .init(code: code.rawValue, message: message, hint: hint)
    }

    /// What to tell about any error that ends a command.
    static func detail(of error: any Error) -> ErrorDescription.Detail {
        switch error {
        case let error as LocalClientError: error.detail
        case let error as NodeError: .init(code: error.code.rawValue, message: error.message, hint: error.hint)
        case let error as Failure: error.detail
        case let error as UnreadableJSON: .init(code: "unreadable_answer", message: error.sentence)
        default: .init(code: "internal_error", message: "\(error)")
        }
    }
}
