import Conversations
import NodeCore
import OperationLog
import Storage

extension World {
    /// Which author does not know what an honest reader says of their messages, or what an honest reader does not say;
    /// nil if nothing is amiss.
    ///
    /// A receipt goes to the authors whom it is about. What others hold of it may be old.
    func receiptsDisagreeing(on conversation: ConversationID, among members: [Host]) -> String? {
        for host in members {
            guard let core = host.core, let replica = core.replicas[conversation] else { continue }
            let receipts = core.effectiveReceipts(of: conversation)
            let own = receipts.first { $0.device.id == host.device }
            if let author = authorMissing(own, of: host, in: replica, members) {
                return
                    "\(author.name) does not know what \(host.name) received and read in \(conversation.description.prefix(8))"
            }
            guard replica.group.counts(host.keys.author.device), replica.wanted.isEmpty, replica.quotas.declined.isEmpty
            else { continue }
            let said = own?.marks ?? [:]
            let read = core.sharesReads(in: conversation) ? host.disk.image.readMarks(in: conversation) : [:]
            for chain in replica.log.contentFrontier.devices where chain != host.device {
                let received = replica.log.contentFrontier.sequenceNumber(of: chain)
                guard said[chain] == ReceiptRecord.Mark(received: received, read: read[chain] ?? 0) else {
                    return
                        "\(host.name) does not say what they received and read in \(conversation.description.prefix(8))"
                }
            }
        }
        return nil
    }

    /// An author who holds something else than a reader's last receipt says of their messages.
    private func authorMissing(
        _ said: ReceiptRecord?, of reader: Host, in replica: Replica, _ members: [Host]
    ) -> Host? {
        members.first { author in
            guard author.index != reader.index, let core = author.core,
                core.replicas[replica.id]?.group.counts(reader.keys.author.device) == true,
                replica.group.counts(author.keys.author.device)
            else { return false }
            let known = core.receipts[replica.id]?[reader.device]
            return said?.marks[author.device] != known?.marks[author.device]
        }
    }
}

extension InvariantChecker {
    /// Looks at what honest people are said to have received and read.
    mutating func checkReceipts(of world: World) {
        // To whom was taken out nobody tells anything, and nobody hears from them what they changed since.
        for holder in world.hosts where !holder.isLiar && !world.isTakenOut(holder) {
            for replica in (holder.core?.replicas ?? [:]).values.sorted(by: { $0.id < $1.id })
            where replica.group.isMember(holder.user) {
                for receipt in holder.core?.effectiveReceipts(of: replica.id) ?? [] {
                    checkReceipt(receipt, heldBy: holder, world)
                }
            }
        }
    }

    private mutating func checkReceipt(_ receipt: ReceiptRecord, heldBy holder: Host, _ world: World) {
        guard let author = host(of: receipt.device.id, in: world), !author.isLiar, !world.isTakenOut(author),
            let core = author.core,
            let replica = core.replicas[receipt.conversation]
        else { return }
        let shows = core.sharesReads(in: receipt.conversation)
        for (chain, mark) in receipt.marks.sorted(by: { $0.key < $1.key }) {
            let here = replica.log.contentFrontier.sequenceNumber(of: chain)
            // What is read on one device is read on all.
            let upTo =
                world.devices(of: author.user)
                .map { $0.mayHaveRead[receipt.conversation]?[chain] ?? 0 }.max() ?? 0
            // What others hold of it may be old: it is sent to the author alone.
            let isShown = shows || mark.read == 0 || chain != holder.device
            expect(
                mark.received <= here && mark.read <= upTo && isShown, .receipts, world,
                "\(holder.name) holds that \(author.name) read up to \(mark.read) of \(mark.received), who has \(here) and "
                    + "read \(upTo)\(shows ? "" : ", and does not show it")")
            guard shows, !author.wasPutBack, chain == holder.device else { continue }
            let least = min(author.read[receipt.conversation]?[chain] ?? 0, mark.received)
            expect(
                mark.read >= least, .receipts, world,
                "\(holder.name) does not know that \(author.name) read up to \(least)")
        }
    }
}
