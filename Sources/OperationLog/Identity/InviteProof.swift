import Cryptography

/// Shows that a person holds the one-time key of an invite by code: that key's signature over the invite and the
/// person.
///
/// It is worth nothing to anybody else: the person is part of what is signed, and proves themselves by their own key.
public struct InviteProof: Hashable, Sendable {
    /// The signature.
    public let signature: Signature

    /// Takes over a signature, valid or not.
    public init(signature: Signature) { self.signature = signature }

    /// Proves that a person holds the key of an invite.
    public init(
        of invite: OperationID, to conversation: ConversationID, for user: UserID, signedWith key: SigningKey
    ) {
        signature = key.sign(Self.statement(invite, conversation, user).bytes)
    }

    /// Whether the holder of a key meant a person and an invite.
    ///
    /// - Complexity: one signature check, about 100 µs.
    public func isValid(
        of invite: OperationID, to conversation: ConversationID, for user: UserID, under key: VerifyingKey
    ) -> Bool {
        key.verifies(signature, of: Self.statement(invite, conversation, user).bytes)
    }

    private static func statement(
        _ invite: OperationID, _ conversation: ConversationID, _ user: UserID
    ) -> Statement {
        var statement = Statement("moot/1/invite")
        statement.append(conversation.digest.bytes)
        statement.append(invite.digest.bytes)
        statement.append(user.digest.bytes)
        return statement
    }
}
