/// Why a host did not become a device of a user. Each is final.
public enum LinkError: Error, Hashable, Sendable {
    /// Bytes that no side of this conversation could have sent at this point.
    case malformed
    /// The other side does not know the secret of the code, or is somebody else than it says.
    case unproven
    /// A frame that was changed on its way.
    case badFrame
    /// The user of the other host said no.
    case refused
    /// The other side answered what does not make this host a device of the user that it showed.
    case wrongWelcome
    /// The connection ended before both had what they need.
    case ended

    /// The stable code shown in logs.
    public var code: String {
        switch self {
        case .malformed: "malformed"
        case .unproven: "unproven"
        case .badFrame: "bad_frame"
        case .refused: "refused"
        case .wrongWelcome: "wrong_welcome"
        case .ended: "ended"
        }
    }
}
