import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import Replication
import StreamTransport
import Time

extension Node {
    /// How long a code is good, in seconds, unless it is said.
    public static let defaultCodeLifetime = 24 * 3_600

    /// Makes a code by which one person can join a group, whoever they are. It is shown this once.
    ///
    /// - Throws: `network_error` on a host without an address that others could dial; else as
    ///   ``NodeCore/makeCode(for:lasting:at:)``.
    public func makeCode(for conversation: String, lasting seconds: Int) throws(NodeError) -> NewCodeDescription {
        let id = try group(named: conversation).id
        let addresses = reachableAddresses
        guard !addresses.isEmpty else { throw Self.unreachable }
        let made = try change { core, moment throws(NodeError) in
            try core.makeCode(for: id, lasting: seconds, at: moment)
        }
        let code = InviteCode(
            conversation: id, invite: made.code.id, seed: made.seed, end: made.code.end, device: core.device.id,
            addresses: addresses)
        guard let code else { throw Self.unreachable }
        return NewCodeDescription(
            id: made.code.id.description, conversation: id.description, code: code.description,
            expiresAt: Clock.text(made.code.end.milliseconds),
            addresses: addresses.map(\.description))
    }

    /// The codes of a group by which somebody could join now.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `invalid_operation`.
    public func codes(of conversation: String) throws(NodeError) -> [CodeDescription] {
        try group(named: conversation).group.openCodes.map { code in
            CodeDescription(
                id: code.id.description, inviter: code.inviter.description, inviterName: contacts[code.inviter].name,
                expiresAt: Clock.text(code.end.milliseconds))
        }
    }

    /// The open code that a text names by its id or a beginning of it.
    func code(named text: String, in group: Group) -> OperationID? {
        guard case .id(let beginning) = Designation(text) else { return nil }
        let named = group.openCodes.filter { $0.id.description.hasPrefix(beginning) }
        return named.count == 1 ? named[0].id : nil
    }

    /// Joins a group by a code, waiting for as long as somebody there may need to answer.
    ///
    /// - Throws: `code_invalid`, `code_expired`, `code_used`, `code_cancelled`; `network_error` if nobody answers who
    ///   knows; `invalid_operation` for one's own code or one too many; `disk_full`, `storage_failed`.
    public func join(code text: String) async throws(NodeError) -> ConversationDescription {
        let code: InviteCode
        do throws(MalformedCode) {
            code = try InviteCode(text)
        } catch {
            throw NodeError(
                .codeInvalid, error.description, hint: "'moot invite GROUP --code' prints one that is whole.")
        }
        let offer = InviteOffer(
            conversation: code.conversation, invite: code.invite, key: code.key, end: code.end, device: code.device,
            places: code.addresses.map(\.description))
        let deadline = now + Self.joinTimeout
        while !(try change { core, moment throws(NodeError) in try core.join(by: offer, at: moment) }) {
            guard !isStopped else { throw NodeError(.networkError, "The node has stopped") }
            guard now < deadline else { throw core.delay(of: offer) }
            try? await Task.sleep(for: Self.joinInterval)
        }
        return try describe(code.conversation)
    }

    /// A dial, a handshake and the lane of a group take less, or nobody is there.
    private static var joinTimeout: Duration { .seconds(10) }
    /// How often to look whether somebody has answered.
    private static var joinInterval: Duration { .milliseconds(50) }
}
