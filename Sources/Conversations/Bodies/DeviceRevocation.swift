import Cryptography
import OperationLog

/// A root's statement that a device of its user is somebody else's, with what of it still counts in one conversation.
///
/// Of what the device wrote in the conversation the operations that are named here count, and what they follow; nothing
/// else. The author of the operation that carries the statement adds nothing to it. Several statements of one device
/// add up: what any of them names counts.
public struct DeviceRevocation: Hashable, Sendable {
    /// Operations of each lane that a statement may name.
    public static let maximumPins = 16

    /// That the device is out.
    public let tombstone: Tombstone
    /// The operations of the membership lane that count with all they have in their pasts, ascending.
    public let decisions: [OperationID]
    /// The content operations of the device that count with what they follow on its chain, ascending.
    public let messages: [OperationID]
    /// The root's signature.
    private let signature: Signature

    /// The user whose device it was.
    public var user: UserID { tombstone.user }
    /// The device.
    public var device: DeviceID { tombstone.device }

    /// Revokes a device in a conversation.
    ///
    /// - Precondition: at most ``maximumPins`` operations of each lane.
    public init(
        root: SigningKey, of device: DeviceID, in conversation: ConversationID, keeping decisions: [OperationID],
        _ messages: [OperationID]
    ) {
        precondition(max(decisions.count, messages.count) <= Self.maximumPins, "it names 16 operations of each lane")
        tombstone = Tombstone(root: root, device: device, kind: .revoked)
        self.decisions = decisions.sorted()
        self.messages = messages.sorted()
        signature = root.sign(Self.statement(of: tombstone, self.decisions, self.messages, in: conversation))
    }

    /// Whether the root signed it for a conversation.
    ///
    /// - Complexity: one signature check, about 100 µs.
    public func isSigned(for conversation: ConversationID) -> Bool {
        user.key.verifies(signature, of: Self.statement(of: tombstone, decisions, messages, in: conversation))
    }

    private static func statement(
        of tombstone: Tombstone, _ decisions: [OperationID], _ messages: [OperationID], in conversation: ConversationID
    ) -> [UInt8] {
        var statement = Statement("moot/1/revoke")
        statement.append(conversation.digest.bytes)
        statement.append(tombstone.user.digest.bytes)
        statement.append(tombstone.device.digest.bytes)
        for pins in [decisions, messages] {
            var writer = CanonicalWriter()
            writer.write(ascending: pins)
            statement.append(writer.bytes)
        }
        return statement.bytes
    }

    func encode(into writer: inout CanonicalWriter) {
        writer.write(raw: tombstone.encoded)
        writer.write(ascending: decisions)
        writer.write(ascending: messages)
        writer.write(raw: signature.bytes)
    }

    /// Reads a statement, and verifies that the device is out. For which conversation the rest is signed,
    /// ``isSigned(for:)`` says.
    ///
    /// - Complexity: one signature check, about 100 µs.
    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        tombstone = try Tombstone(from: &reader)
        guard tombstone.kind == .revoked else { throw .invalid(field: "revocation") }
        decisions = try reader.ascending(of: "pins", limit: Self.maximumPins)
        messages = try reader.ascending(of: "pins", limit: Self.maximumPins)
        signature = try reader.signature()
    }
}
