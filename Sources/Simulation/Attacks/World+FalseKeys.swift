import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication

extension World {
    /// The most epochs that are written in one step.
    private static let falseKeys = 5_000

    /// The most epochs that are written in one step where each opens for one reader.
    private static let partlyFalseKeys = 64

    /// Makes keys that open for nobody; or each for one reader alone; or keys that open for everybody, and complains
    /// about them itself. So many that the complaints, or the answers to them, fill more than a message.
    ///
    /// As many as the value of the step says. An odd one is for keys that open, and two more than a multiple of four
    /// for keys that open for one.
    func falsifyKeys(_ step: Step, by host: Host) {
        guard let core = host.core, var replica = group(of: step, known: core), replica.group.isMember(host.user),
            let view = replica.view(at: replica.log.membership.heads), view.contains(host.device)
        else { return }
        let forge = forge(of: host, in: replica.id)
        let heads = replica.log.membership.heads
        let isPartlyFalse = step.value % 4 == 2
        let count = 1 + step.value % (isPartlyFalse ? Self.partlyFalseKeys : Self.falseKeys)
        var operations: [Operation] = []
        var tip = replica.log.contentFrontier.tips[host.device]?.last
        for number in 0..<count {
            let isTrue = step.value % 2 == 1
            let body =
                isTrue || isPartlyFalse
                ? trueKey(for: view, only: isTrue ? nil : number % view.readers.count, by: forge, after: tip, heads)
                : falseKey(number, for: view)
            let operation = forge.content(.epoch, body, after: tip, under: heads)
            operations.append(operation)
            tip = operation.tip
        }
        if step.value % 2 == 1 {
            for epoch in operations {
                let complaint = forge.content(.complaint, [], after: tip, under: heads, epoch: epoch.id)
                operations.append(complaint)
                tip = complaint.tip
            }
        }
        spread(operations, .content, of: replica.id, by: host, each: 1_024)
        carry(operations, .content, of: replica.id, for: host)
    }

    private func falseKey(_ number: Int, for view: View) -> [UInt8] {
        let wrap = [UInt8](repeating: UInt8(number % 256), count: EpochBody.wrapByteCount)
        let commitment = Digest.hash("moot/1/lie", random.bytes(8))
        return EpochBody(view: view.id, commitment: commitment, wraps: view.readers.map { _ in wrap }).encoded
    }

    /// A key that opens for everybody, or for the reader of one place alone.
    private func trueKey(
        for view: View, only place: Int?, by forge: OperationForge, after tip: ChainTip?, _ heads: [OperationID]
    ) -> [UInt8] {
        let key = EpochKey.generate(using: &random)
        let noise = [UInt8](repeating: 1, count: EpochBody.wrapByteCount)
        let wraps = view.readers.enumerated().compactMap { offset, reader in
            place.map { $0 == offset } ?? true
                ? try? SealedBox.seal(key.secret, to: reader.wrapKey, using: &random) : noise
        }
        // The commitment is to the device, the heads and the view, not to the body.
        let header = forge.content(.epoch, [], after: tip, under: heads).header
        return EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
    }
}
