import Replication

/// How the connection to a peer ended.
public enum PeerClosure: Error, Hashable, Sendable {
    /// One of the two said goodbye: everything that was said before it was heard.
    case goodbye
    /// This side broke it off.
    case aborted
    /// The peer, or whoever it was, broke the rules of the channel, or the connection ended without a goodbye.
    case channel(ChannelError)
    /// The bytes stopped.
    case transport(TransportError)

    /// What the channel ended with, if that was it.
    public var channelError: ChannelError? {
        guard case .channel(let error) = self else { return nil }
        return error
    }

    /// The stable code of the outcome.
    public var code: String {
        switch self {
        case .goodbye: "goodbye"
        case .aborted: "aborted"
        case .channel(let error): error.code
        case .transport(let error): error.code
        }
    }
}
