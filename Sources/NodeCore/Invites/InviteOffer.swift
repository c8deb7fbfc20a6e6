import Cryptography
import OperationLog
import Time

/// What a code says that lets somebody into a group.
public struct InviteOffer: Sendable {
    /// The group.
    public let conversation: ConversationID
    /// The invite by code.
    public let invite: OperationID
    /// The one-time key.
    public let key: SigningKey
    /// When the inviter takes the invite back.
    public let end: Timestamp
    /// The inviter's device.
    public let device: DeviceID
    /// Where that device listens.
    public let places: [String]

    /// Describes a code.
    public init(
        conversation: ConversationID, invite: OperationID, key: SigningKey, end: Timestamp, device: DeviceID,
        places: [String]
    ) {
        self.conversation = conversation
        self.invite = invite
        self.key = key
        self.end = end
        self.device = device
        self.places = places
    }
}
