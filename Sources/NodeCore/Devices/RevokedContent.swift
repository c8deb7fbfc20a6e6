import Conversations
import OperationLog
import Storage

/// What counts of the content of a device that some operation revokes.
struct RevokedContent {
    /// The size of the membership lane for which this is known.
    var decisions: Int
    /// What is covered; nil where no revocation counts.
    var covered: CoveredContent?
    /// The names for which the storage last withheld and showed the device's operations; nil if it has to go through
    /// all of them.
    var settled: Set<OperationID>?
}

extension Replica {
    /// Whether a content operation is of a device that was revoked, and not among what counts of it. Where that cannot
    /// be read, it is.
    ///
    /// - Complexity: O(1); once for each decision and device as ``Group/namedContent(of:of:)`` says.
    mutating func isRevoked(_ operation: Operation, in storage: any ReplicaStorage) -> Bool {
        let (device, user) = (operation.author.id, operation.author.user)
        guard group.mayBeRevoked(device, of: user) else { return false }
        do throws(StoreError) {
            try readNames(of: device, of: user, in: storage)
            guard revokedContent[device]?.covered != nil else { return false }
            let (isForked, find) = (isForked(device), header(in: storage))
            return try revokedContent[device]?.covered?.contains(operation, isForked: isForked, find: find) != true
        } catch {
            return true
        }
    }

    /// Whether other content of a revoked device is named than when it was last settled what of it is shown, or that
    /// cannot be read.
    mutating func isUnsettled(_ device: DeviceID, of user: UserID, in storage: any ReplicaStorage) -> Bool {
        guard (try? readNames(of: device, of: user, in: storage)) != nil else { return true }
        return revokedContent[device]?.covered?.names != revokedContent[device]?.settled
    }

    /// What has come to count of a revoked device since that was last settled; nil where all of it is to be looked at.
    mutating func takeNews(
        ofRevoked device: DeviceID, of user: UserID, in storage: any ReplicaStorage
    ) throws(StoreError) -> [OperationID]? {
        try readNames(of: device, of: user, in: storage)
        guard revokedContent[device]?.settled != nil, revokedContent[device]?.covered != nil else { return nil }
        let (isForked, find) = (isForked(device), header(in: storage))
        return try revokedContent[device]?.covered?.takeNews(isForked: isForked, find: find)
    }

    /// Notes that it is settled what of a device is shown.
    mutating func noteSettled(_ device: DeviceID) {
        revokedContent[device]?.covered?.skipNews()
        let names = revokedContent[device]?.covered?.names
        revokedContent[device]?.settled = names
    }

    private func isForked(_ device: DeviceID) -> Bool { log.contentFrontier.tips[device]?.count != 1 }

    private func header(
        in storage: any ReplicaStorage
    ) -> (OperationID) throws(StoreError) -> OperationHeader? {
        let conversation = id
        return { id throws(StoreError) in try storage.operation(id, of: conversation)?.header }
    }

    private mutating func readNames(
        of device: DeviceID, of user: UserID, in storage: any ReplicaStorage
    ) throws(StoreError) {
        let decisions = log.membership.operations.count
        guard revokedContent[device]?.decisions != decisions else { return }
        guard let names = group.namedContent(of: device, of: user) else {
            revokedContent[device] = RevokedContent(decisions: decisions)
            return
        }
        let find = header(in: storage)
        if try revokedContent[device]?.covered?.name(names, find: find) == true {
            revokedContent[device]?.decisions = decisions
        } else {
            var covered = CoveredContent(of: device)
            _ = try covered.name(names, find: find)
            revokedContent[device] = RevokedContent(decisions: decisions, covered: covered)
        }
    }
}
