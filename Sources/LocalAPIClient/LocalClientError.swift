import LocalAPIModel

/// Why the running node gave no answer, or which one.
public enum LocalClientError: Error, Hashable, Sendable {
    /// Nobody listens at the socket.
    case notRunning(socketPath: String)
    /// The socket may not be opened.
    case permissionDenied(socketPath: String)
    /// The socket is another user's, or others can open or replace it.
    case foreign(socketPath: String)
    /// The path of the socket is longer than a Unix socket's can be.
    case pathTooLong(socketPath: String)
    /// The node refused, or failed.
    case refused(ErrorDescription.Detail)
    /// The connection ended before the answer was complete. Whether the request was carried out is unknown.
    case connectionLost
    /// The answer is not one of the local API.
    case unreadable(String)
}

extension LocalClientError {
    /// The error in the shape in which the node would have told it.
    public var detail: ErrorDescription.Detail {
        switch self {
        case .notRunning(let path):
            .init(
                code: ErrorCode.notRunning.rawValue,
                message: "The node is not running (nobody listens at \(path))",
                hint: "Start it with: moot up")
        case .permissionDenied(let path):
            .init(
                code: ErrorCode.permissionDenied.rawValue, message: "You may not open \(path)",
                hint: "Run the command as the user who runs the node")
        case .foreign(let path):
            .init(
                code: ErrorCode.permissionDenied.rawValue,
                message: "The socket \(path) is not this user's alone, so it may be another program's",
                hint: "See whose folder it is in. Choose another with XDG_RUNTIME_DIR or --home")
        case .pathTooLong(let path):
            .init(
                code: ErrorCode.badConfiguration.rawValue,
                message: "The path of the socket is longer than \(LocalClient.maximumSocketPathBytes) bytes: \(path)",
                hint: "Choose a shorter folder with --home")
        case .refused(let detail):
            detail
        case .connectionLost:
            .init(
                code: ErrorCode.networkError.rawValue, message: "The node ended the connection",
                hint: "See whether it is still running: moot status")
        case .unreadable(let reason):
            .init(
                code: "unreadable_answer", message: "The node's answer cannot be read: \(reason)",
                hint: "Node and command may be of different versions: moot --version")
        }
    }
}
