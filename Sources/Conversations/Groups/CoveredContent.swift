import OperationLog

/// What counts of the content of a revoked device: what is named by those who may, and what that follows on its branch.
///
/// The holder of a root can revoke the same device any number of times, and name more operations each time. The cost
/// must not grow with that: each name is looked up once, and each covered operation is visited once.
public struct CoveredContent: Sendable {
    private let device: DeviceID
    /// What is named, also what is not here.
    public private(set) var names: Set<OperationID> = []
    /// What is named and here, in the order in which that became known.
    private var ends: [OperationID] = []
    /// The last operation of the longest branch that is named.
    private var longest: OperationID?
    /// Its length, that is the number of that operation.
    private var length: UInt64 = 0
    /// How much of it was told as news.
    private var told: UInt64 = 0
    /// What is covered by the first ``completed`` of the ends. It is asked once the chain has several branches; while
    /// it has one, lengths tell.
    private var operations: Set<OperationID> = []
    private var completed = 0
    /// What was added to that and was not told yet.
    private var news: [OperationID] = []

    /// Nothing of a device is covered.
    public init(of device: DeviceID) { self.device = device }

    /// Takes in all that is named now.
    ///
    /// - Parameter find: the header of an operation that is here.
    /// - Returns: false, with nothing changed, if an earlier name is missing: then the caller starts with a new value.
    /// - Complexity: O(*n*) in the names, and one question for each new one.
    public mutating func name<Failure: Error>(
        _ all: Set<OperationID>, find: (OperationID) throws(Failure) -> OperationHeader?
    ) throws(Failure) -> Bool {
        guard all.isSuperset(of: names) else { return false }
        var found: [(OperationID, OperationHeader)] = []
        for id in all.subtracting(names).sorted() {
            if let header = try find(id) { found.append((id, header)) }
        }
        names = all
        for (id, header) in found { cover(id, header) }
        return true
    }

    /// Notes that an operation has come; whether it is named.
    public mutating func arrive(_ operation: Operation) -> Bool {
        guard names.contains(operation.id) else { return false }
        cover(operation.id, operation.header)
        return true
    }

    private mutating func cover(_ end: OperationID, _ header: OperationHeader) {
        guard header.lane == .content, header.device == device else { return }
        ends.append(end)
        if header.sequenceNumber > length { (longest, length) = (end, header.sequenceNumber) }
    }

    /// Whether an operation of the device is covered.
    ///
    /// - Parameter isForked: whether the device's chain has several branches.
    /// - Complexity: O(1); where the chain has several branches, once O(*n*) in what is covered.
    public mutating func contains<Failure: Error>(
        _ operation: Operation, isForked: Bool, find: (OperationID) throws(Failure) -> OperationHeader?
    ) throws(Failure) -> Bool {
        if names.contains(operation.id) { return true }
        guard operation.header.sequenceNumber < length else { return false }
        guard isForked else { return true }
        try complete(find)
        return operations.contains(operation.id)
    }

    /// What has become covered since this was asked last; where the chain has come to have several branches, all of it
    /// once more.
    ///
    /// - Complexity: O(*n*) in that.
    public mutating func takeNews<Failure: Error>(
        isForked: Bool, find: (OperationID) throws(Failure) -> OperationHeader?
    ) throws(Failure) -> [OperationID] {
        guard !isForked else {
            try complete(find)
            defer { skipNews() }
            return news
        }
        var (found, next): ([OperationID], OperationID?) = ([], longest)
        while let id = next, let header = try find(id), header.sequenceNumber > told {
            found.append(id)
            next = header.previous
        }
        skipNews()
        return found
    }

    /// Passes over what has become covered: it was looked at otherwise.
    public mutating func skipNews() { (news, told) = ([], length) }

    private mutating func complete<Failure: Error>(
        _ find: (OperationID) throws(Failure) -> OperationHeader?
    ) throws(Failure) {
        while completed < ends.count {
            var branch: [OperationID] = []
            var next: OperationID? = ends[completed]
            while let id = next, !operations.contains(id) {
                branch.append(id)
                next = try find(id)?.previous
            }
            operations.formUnion(branch)
            news += branch
            completed += 1
        }
    }
}
