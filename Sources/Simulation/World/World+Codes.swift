import Conversations
import Cryptography
import NodeCore
import OperationLog
import Time

/// Invites by code: what one host prints, any other may have been given.
extension World {
    /// Codes that people pass on; the older ones are lost.
    private static let codesKept = 3

    /// Makes a code, which is then known to everybody.
    func offer(
        _ step: Step, in conversation: ConversationID, by host: Host, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) {
        // Some end while somebody is on the way.
        let made = try core.makeCode(for: conversation, lasting: step.value % 4 == 0 ? 1 : 3_600, at: moment)
        guard let key = SigningKey(seed: made.seed) else { return }
        codes.append(
            InviteOffer(
                conversation: conversation, invite: made.code.id, key: key, end: made.code.end, device: host.device,
                places: [host.endpoint.description]))
        codes = codes.suffix(Self.codesKept)
    }

    /// Uses one of the last codes; false if there is none, or nobody has let the host in yet.
    func redeem(
        _ step: Step, on host: Host, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) -> Bool {
        // Mostly where it changes something, and mostly one that others use as well.
        let foreign = codes.filter { core.replicas[$0.conversation]?.group.isMember(core.me) != true }
        let choice = foreign.isEmpty ? codes : foreign
        guard let code = choice.last(where: { _ in step.value % 4 > 0 }) ?? choice.first else { return false }
        return try core.join(by: code, at: moment)
    }
}
