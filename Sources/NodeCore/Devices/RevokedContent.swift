import Conversations
import OperationLog
import Storage

/// What counts of the content of a device that some operation revokes.
struct RevokedContent {
    /// The size of the membership lane for which this is known.
    var decisions: Int
    /// What is covered; nil where no revocation counts.
    var covered: CoveredContent?
    /// Whether all that is not covered was withheld, and all else shown, when news were last taken.
    var isSettled = false
}

extension Replica {
    /// Whether a content operation is of a device that was revoked, and not among what counts of it.
    ///
    /// - Complexity: O(1); once for each decision and device as ``Group/namedContent(of:of:in:)`` says.
    mutating func isRevoked(_ operation: Operation, in storage: any ReplicaStorage) -> Bool {
        let (device, user) = (operation.author.id, operation.author.user)
        guard group.mayBeRevoked(device, of: user) else { return false }
        readNames(of: device, of: user, in: storage)
        guard revokedContent[device]?.covered != nil else { return false }
        let (isForked, find) = (isForked(device), header(in: storage))
        return revokedContent[device]?.covered?.contains(operation, isForked: isForked, find: find) != true
    }

    /// What has come to count of a revoked device since that was last settled; nil where all of it is to be looked at.
    mutating func takeNews(ofRevoked device: DeviceID, in storage: any ReplicaStorage) -> [OperationID]? {
        guard let user = contentCuts[device]?.user else { return nil }
        readNames(of: device, of: user, in: storage)
        guard revokedContent[device]?.isSettled == true, revokedContent[device]?.covered != nil else { return nil }
        let (isForked, find) = (isForked(device), header(in: storage))
        return revokedContent[device]?.covered?.takeNews(isForked: isForked, find: find)
    }

    /// Notes that all of a device's content was looked at.
    mutating func noteSettled(_ device: DeviceID) {
        revokedContent[device]?.covered?.skipNews()
        revokedContent[device]?.isSettled = true
    }

    private func isForked(_ device: DeviceID) -> Bool { log.contentFrontier.tips[device]?.count != 1 }

    private func header(in storage: any ReplicaStorage) -> (OperationID) -> OperationHeader? {
        let conversation = id
        return { (try? storage.operation($0, of: conversation))?.header }
    }

    private mutating func readNames(of device: DeviceID, of user: UserID, in storage: any ReplicaStorage) {
        let decisions = log.membership.operations.count
        guard revokedContent[device]?.decisions != decisions else { return }
        guard let names = group.namedContent(of: device, of: user, in: log.membership) else {
            revokedContent[device] = RevokedContent(decisions: decisions, covered: nil)
            return
        }
        let find = header(in: storage)
        if revokedContent[device]?.covered?.name(names, find: find) == true {
            revokedContent[device]?.decisions = decisions
        } else {
            var covered = CoveredContent(of: device)
            _ = covered.name(names, find: find)
            revokedContent[device] = RevokedContent(decisions: decisions, covered: covered)
        }
    }
}
