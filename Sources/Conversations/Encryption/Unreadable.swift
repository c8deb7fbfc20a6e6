/// Why a body that is here cannot be read. Raw values are stable codes.
public enum Unreadable: String, Error, Hashable, Sendable, CaseIterable {
    /// The operation names no epoch, so anybody could have read it.
    case noEpoch = "no_epoch"
    /// What it names as its epoch is none.
    case notAnEpoch = "not_an_epoch"
    /// The epoch was made for other devices than those that were members when it was written.
    case falseEpoch = "false_epoch"
    /// The epoch is for another view than the message.
    case wrongEpoch = "wrong_epoch"
    /// The epoch's key was sealed so that this device cannot open it.
    case wrapBroken = "wrap_broken"
    /// The key that was sealed for this device is not the one its author committed to.
    case commitBroken = "commit_broken"
    /// The epoch's key is with other devices of this user, none of which has passed it on yet.
    case keyElsewhere = "key_elsewhere"
    /// The epoch's key was erased here, because messages are kept for a time only.
    case keyErased = "key_erased"
    /// The body does not open with the epoch's key.
    case brokenSeal = "broken_seal"
    /// What was sealed is no message.
    case malformed = "malformed_body"
    /// It is of a device that its user revoked, and not among what they vouch for.
    case deviceRevoked = "device_revoked"

    /// The reason in words.
    public var sentence: String {
        switch self {
        case .noEpoch: "it was not encrypted"
        case .notAnEpoch: "it names a key that does not exist"
        case .falseEpoch: "its key was made for other devices than the members'"
        case .wrongEpoch: "it was encrypted for other devices than the members'"
        case .wrapBroken: "its key was not sealed properly for this device"
        case .commitBroken: "this device was given another key than the others"
        case .keyElsewhere: "its key is on another device of yours, which has not been here since"
        case .keyErased: "its key was erased here, as messages of this conversation are kept for a time only"
        case .brokenSeal: "it does not open with its key"
        case .malformed: "what was encrypted is no message"
        case .deviceRevoked: "it is of a device that was stolen, and may be by somebody else"
        }
    }
}

/// What this device can see of the body of a content operation.
public enum Reading: Hashable, Sendable {
    /// The text.
    case open([UInt8])
    /// It is for the members of another moment.
    case closed
    /// It is for this device, but nobody has sent it yet.
    case wanted
    /// It is for this device, which has no room for it: its author's texts here take their share already.
    case declined
    /// It was here, or was never asked for, because it is kept for a time only or was deleted.
    case erased
    /// It is here, but cannot be read.
    case unreadable(Unreadable)

    /// Whether the user is shown that there is something: not of what was said among others, nor of a device that was
    /// revoked.
    public var isShown: Bool { self != .closed && self != .unreadable(.deviceRevoked) }
}
