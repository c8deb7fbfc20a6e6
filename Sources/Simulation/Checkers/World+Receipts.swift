import Conversations
import NodeCore
import OperationLog
import Storage

extension World {
    /// In which receipts members disagree, or what an honest one does not say of themselves; nil if in nothing.
    func receiptsDisagreeing(on conversation: ConversationID, among members: [Host]) -> String? {
        var first: (host: Host, receipts: [ReceiptRecord])?
        for host in members {
            guard let core = host.core, let replica = core.replicas[conversation] else { continue }
            let receipts = core.effectiveReceipts(of: conversation)
            if let first, first.receipts != receipts {
                return
                    "\(host.name) and \(first.host.name) hold different receipts of \(conversation.description.prefix(8))"
            }
            first = first ?? (host, receipts)
            guard replica.group.counts(host.keys.author.device), replica.wanted.isEmpty, replica.quotas.declined.isEmpty
            else { continue }
            let said = receipts.first { $0.device.id == host.device }?.marks ?? [:]
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
}

extension InvariantChecker {
    /// Looks at what honest people are said to have received and read.
    mutating func checkReceipts(of world: World) {
        for holder in world.hosts where !holder.isLiar {
            for replica in (holder.core?.replicas ?? [:]).values.sorted(by: { $0.id < $1.id })
            where replica.group.isMember(holder.user) {
                for receipt in holder.core?.effectiveReceipts(of: replica.id) ?? [] {
                    checkReceipt(receipt, heldBy: holder, world)
                }
            }
        }
    }

    private mutating func checkReceipt(_ receipt: ReceiptRecord, heldBy holder: Host, _ world: World) {
        let author = world.hosts.first { $0.device == receipt.device.id }
        guard let author, !author.isLiar, let core = author.core, let replica = core.replicas[receipt.conversation]
        else { return }
        let shows = core.sharesReads(in: receipt.conversation)
        for (chain, mark) in receipt.marks.sorted(by: { $0.key < $1.key }) {
            let here = replica.log.contentFrontier.sequenceNumber(of: chain)
            let upTo = author.mayHaveRead[receipt.conversation]?[chain] ?? 0
            expect(
                mark.received <= here && mark.read <= upTo && (shows || mark.read == 0), .receipts, world,
                "\(holder.name) holds that \(author.name) read up to \(mark.read) of \(mark.received), who has \(here) and "
                    + "read \(upTo)\(shows ? "" : ", and does not show it")")
            guard shows, !author.wasPutBack else { continue }
            let least = min(author.read[receipt.conversation]?[chain] ?? 0, mark.received)
            expect(
                mark.read >= least, .receipts, world,
                "\(holder.name) does not know that \(author.name) read up to \(least)")
        }
    }
}
