import HTTPTypes
import LocalAPIModel
import Node
import NodeCore

extension NodeError {
    /// The error as an answer carries it.
    var detail: ErrorDescription.Detail {
        .init(code: code.rawValue, message: message, hint: hint)
    }
}

extension NodeError.Code {
    /// The HTTP status that fits the code.
    var status: HTTPResponse.Status { .init(integerLiteral: ends.answer) }
}
