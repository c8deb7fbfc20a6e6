import HTTPTypes

/// How far somebody was let in.
enum Admission: Hashable, Sendable {
    /// They may do what the user may.
    case everything
    /// They may look and follow events.
    case reading

    /// Whether a request with this method is theirs to make.
    func allows(_ method: HTTPRequest.Method) -> Bool {
        switch self {
        case .everything: true
        case .reading: method == .get || method == .head
        }
    }
}
