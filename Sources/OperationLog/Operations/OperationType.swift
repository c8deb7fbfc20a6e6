/// What an operation does. Types this version does not know are admitted and have no effect.
public struct OperationType: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt64

    /// Names any type, known or not.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Starts a group; its id is the conversation's id.
    public static let create = OperationType(rawValue: 1)
    /// Makes people members at once.
    public static let add = OperationType(rawValue: 2)
    /// Offers membership to one person.
    public static let invite = OperationType(rawValue: 3)
    /// Accepts an invite.
    public static let join = OperationType(rawValue: 4)
    /// Turns an invite down.
    public static let decline = OperationType(rawValue: 5)
    /// Takes an invite back.
    public static let cancel = OperationType(rawValue: 6)
    /// Takes a person out.
    public static let remove = OperationType(rawValue: 7)
    /// Grants a higher role.
    public static let promote = OperationType(rawValue: 8)
    /// Leaves a person with at most a role.
    public static let demote = OperationType(rawValue: 9)
    /// Writes a register: name, photo, description, a setting.
    public static let set = OperationType(rawValue: 10)
    /// Re-grants and re-bans under the author's own authority.
    public static let ratify = OperationType(rawValue: 11)
    /// Introduces, renews or withdraws a device of the author.
    public static let device = OperationType(rawValue: 12)
    /// Joins heads and does nothing else.
    public static let merge = OperationType(rawValue: 13)
    /// Gives up everything.
    public static let leave = OperationType(rawValue: 14)
    /// Gives up everything above member.
    public static let stepdown = OperationType(rawValue: 15)
    /// Takes a device of a person out that is somebody else's: a statement of the person's root.
    public static let revoke = OperationType(rawValue: 16)
    /// A message of text (content lane).
    public static let message = OperationType(rawValue: 32)
    /// A fresh key for the members of a view (content lane).
    public static let epoch = OperationType(rawValue: 33)
    /// Says that an epoch's key did not open for the author (content lane).
    public static let complaint = OperationType(rawValue: 34)
    /// Seals an epoch's key once more, for one device (content lane).
    public static let wrap = OperationType(rawValue: 35)
    /// Gives a message another text (content lane).
    public static let edit = OperationType(rawValue: 36)
    /// Hides a message from everybody (content lane).
    public static let delete = OperationType(rawValue: 37)
    /// Answers a message with an emoji, or takes that back (content lane).
    public static let reaction = OperationType(rawValue: 38)
    /// Pins a message to its conversation, or unpins it (content lane).
    public static let pin = OperationType(rawValue: 39)

    /// Attaches a file to a message (content lane).
    public static let file = OperationType(rawValue: 40)

    /// Whether it says something about a message.
    public var isAnnotation: Bool { [.edit, .delete, .reaction, .pin, .file].contains(self) }

    /// Whether the body is for the devices of the operation's view only, in the content lane. Keys are sealed one by
    /// one, so everybody gets them; what a type of a later version is for, nobody knows, so its body is closed, too.
    public var isClosed: Bool { ![.epoch, .complaint, .wrap].contains(self) }
}
