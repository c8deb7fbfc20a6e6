import Conversations
import Cryptography
import NodeCore
import OperationLog

extension World {
    /// Closes messages in ways no honest node does.
    func misseal(_ step: Step, by host: Host) {
        guard let core = host.core, var replica = group(of: step, known: core), replica.group.isMember(host.user),
            let view = replica.view(at: replica.log.membership.heads),
            let text = MessageBody(text: "missealed \(step.at)", replyTo: nil)?.encoded
        else { return }
        let key = EpochKey.generate(using: &random)
        let nonce = random.bytes(ExtendedNonceCipher.nonceByteCount)
        switch step.value % 6 {
        case 0, 1:
            missealEpoch(key, view, step, victimGetsNoise: step.value % 6 == 0, nonce, text, in: replica.id, host)
        case 2:
            // For one member less than there are.
            let readers = view.readers.filter { $0.device != hosts[step.other % hosts.count].device }
            writeEpoch(
                key, claiming: ViewID(digest: .hash("moot/1/lie", nonce)), readers, nonce, text, in: replica.id, host)
        case 3:
            // Under a key that others once had, too.
            let old = replica.epochs.all.values.filter { $0.view.id != view.id }.min { $0.id < $1.id }
            guard let old, case .held(let key) = old.key else { return }
            write([Self.closed(text, under: old.id, key, nonce)], in: replica.id, host)
        case 4:
            write([ConversationLog.Draft(type: .message, body: text)], in: replica.id, host)
        default:
            guard let epoch = replica.epochs.all.keys.min() else { return }
            write([ConversationLog.Draft(type: .complaint, epoch: epoch, body: [])], in: replica.id, host)
        }
    }

    /// Seals a key properly for all but one, and writes under it.
    private func missealEpoch(
        _ key: EpochKey, _ view: View, _ step: Step, victimGetsNoise: Bool, _ nonce: [UInt8], _ text: [UInt8],
        in conversation: ConversationID, _ host: Host
    ) {
        let victim = hosts[step.other % hosts.count].device
        let other = EpochKey.generate(using: &random)
        let wraps = view.readers.compactMap { reader -> [UInt8]? in
            guard reader.device == victim else {
                return try? SealedBox.seal(key.secret, to: reader.wrapKey, using: &random)
            }
            return victimGetsNoise
                ? random.bytes(EpochBody.wrapByteCount)
                : try? SealedBox.seal(other.secret, to: reader.wrapKey, using: &random)
        }
        writeEpoch(key, claiming: view.id, wraps: wraps, nonce, text, in: conversation, host)
    }

    private func writeEpoch(
        _ key: EpochKey, claiming view: ViewID, _ readers: [View.Reader], _ nonce: [UInt8], _ text: [UInt8],
        in conversation: ConversationID, _ host: Host
    ) {
        let wraps = readers.compactMap { try? SealedBox.seal(key.secret, to: $0.wrapKey, using: &random) }
        writeEpoch(key, claiming: view, wraps: wraps, nonce, text, in: conversation, host)
    }

    private func writeEpoch(
        _ key: EpochKey, claiming view: ViewID, wraps: [[UInt8]], _ nonce: [UInt8], _ text: [UInt8],
        in conversation: ConversationID, _ host: Host
    ) {
        let epoch = ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
            EpochBody(view: view, commitment: key.commitment(of: header, view: view), wraps: wraps).encoded
        }
        change(host) { core, _ in
            _ = try? core.write(in: conversation) { log, author, time throws(MalformedBytes) in
                let written = try log.write(content: [epoch], by: author, at: time)
                guard let id = written.last?.operation.id else { return written }
                return written
                    + (try log.write(content: [Self.closed(text, under: id, key, nonce)], by: author, at: time))
            }
        }
    }

    private static func closed(
        _ text: [UInt8], under epoch: OperationID, _ key: EpochKey, _ nonce: [UInt8]
    ) -> ConversationLog.Draft {
        ConversationLog.Draft(type: .message, epoch: epoch, bodyLength: EpochKey.bodyLength(of: text)) { header in
            key.seal(text, for: header, nonce: nonce)
        }
    }

    private func write(_ drafts: [ConversationLog.Draft], in conversation: ConversationID, _ host: Host) {
        change(host) { core, _ in
            _ = try? core.write(in: conversation) { log, author, time throws(MalformedBytes) in
                try log.write(content: drafts, by: author, at: time)
            }
        }
    }
}
