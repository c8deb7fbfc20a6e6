import OperationLog

/// What counts of the content of a revoked device: what is named by those who may, and what that follows on its branch.
///
/// Whoever holds a root may revoke a device ever again, and name ever more. So each name is looked up once, and each operation that becomes covered
/// is gone through once, however often that happens.
public struct CoveredContent: Sendable {
    private let device: DeviceID
    /// What is named, also what is not here.
    private var names: Set<OperationID> = []
    /// What is named and here, in the order in which that became known, and for how many of them ``operations`` was completed.
    private var ends: [OperationID] = []
    private var completed = 0
    /// The last of the longest branch that is named, its length, and how much of it was told as news.
    private var longest: OperationID?
    private var (length, told): (UInt64, UInt64) = (0, 0)
    /// All that is covered, once the chain has several branches. While it has one, lengths tell.
    private var operations: Set<OperationID>?
    /// What became covered of several branches and was not told yet.
    private var news: [OperationID] = []

    /// Nothing of a device is covered.
    public init(of device: DeviceID) { self.device = device }

    /// Takes in all that is named now.
    ///
    /// - Parameter find: the header of an operation that is here.
    /// - Returns: false where something is named no more. Then nothing has changed, and all is to be begun anew.
    /// - Complexity: O(*n*) in the names, and one question for each new one.
    public mutating func name(_ all: Set<OperationID>, find: (OperationID) -> OperationHeader?) -> Bool {
        guard all.isSuperset(of: names) else { return false }
        for id in all.subtracting(names).sorted() {
            if let header = find(id) { cover(id, header) }
        }
        names = all
        return true
    }

    /// Notes that an operation has come.
    public mutating func arrive(_ operation: Operation) {
        if names.contains(operation.id) { cover(operation.id, operation.header) }
    }

    private mutating func cover(_ end: OperationID, _ header: OperationHeader) {
        guard header.lane == .content, header.device == device else { return }
        ends.append(end)
        if header.sequenceNumber > length { (longest, length) = (end, header.sequenceNumber) }
    }

    /// Whether an operation of the device is covered.
    ///
    /// - Parameter isForked: whether the device's chain has several branches.
    public mutating func contains(
        _ operation: Operation, isForked: Bool, find: (OperationID) -> OperationHeader?
    ) -> Bool {
        if names.contains(operation.id) { return true }
        guard operation.header.sequenceNumber < length else { return false }
        guard isForked else { return true }
        complete(find)
        return operations?.contains(operation.id) == true
    }

    /// What has become covered since this was asked last; some of it may have been before.
    ///
    /// - Complexity: O(*n*) in that; once O(*n*) in all that is covered, where the chain has come to have several branches.
    public mutating func takeNews(isForked: Bool, find: (OperationID) -> OperationHeader?) -> [OperationID] {
        guard !isForked else {
            complete(find)
            defer { (news, told) = ([], length) }
            return news
        }
        var (found, next): ([OperationID], OperationID?) = ([], longest)
        while let id = next, let header = find(id), header.sequenceNumber > told {
            found.append(id)
            next = header.previous
        }
        told = length
        return found
    }

    /// Passes over what has become covered: all of it was looked at otherwise.
    public mutating func skipNews() { (news, told) = ([], length) }

    private mutating func complete(_ find: (OperationID) -> OperationHeader?) {
        var all = operations ?? []
        operations = nil
        for end in ends[completed...] {
            var next: OperationID? = end
            while let id = next, all.insert(id).inserted {
                news.append(id)
                next = find(id)?.previous
            }
        }
        (operations, completed) = (all, ends.count)
    }
}
