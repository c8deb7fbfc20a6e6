import OperationLog

/// What pins on branches stand for.
///
/// A sequence number is not enough: whoever is out can fork their chain below it, or name in their own leave a number
/// that they have yet to reach. The name of an operation says what precedes it, and nobody can put anything there
/// later.
public struct PinnedBranches: Sendable {
    /// For each pinned operation that was asked about: itself and what precedes it, as far as was needed.
    private var branches: [OperationID: Branch] = [:]

    private struct Branch {
        let device: DeviceID
        let length: UInt64
        var operations: [OperationID]
        var previous: OperationID?
    }

    /// Nothing was asked yet.
    public init() {}

    /// Whether an operation is the one that a pin names, or one that it follows on its branch. What is not here has
    /// nothing behind it.
    ///
    /// - Parameters:
    ///   - frontier: what is held of the content lane.
    ///   - find: the header of an operation of that lane that is here.
    /// - Complexity: O(1) where the chain has one branch; else O(*n*) in the operations between the two, once for each
    ///   pin.
    public mutating func isCovered(
        _ pin: Pin, _ operation: Operation, in frontier: Frontier, find: (OperationID) -> OperationHeader?
    ) -> Bool {
        guard pin.operation != operation.id else { return true }
        guard var branch = branches[pin.operation] ?? branch(to: pin.operation, find: find) else { return false }
        let header = operation.header
        guard branch.device == header.device, header.sequenceNumber < branch.length else { return false }
        guard frontier.tips[header.device]?.count != 1 else { return true }
        let place = Int(clamping: branch.length - header.sequenceNumber)
        while branch.operations.count <= place, let previous = branch.previous {
            branch.operations.append(previous)
            branch.previous = find(previous)?.previous
        }
        branches[pin.operation] = branch
        return branch.operations.count > place && branch.operations[place] == operation.id
    }

    private mutating func branch(to end: OperationID, find: (OperationID) -> OperationHeader?) -> Branch? {
        guard let header = find(end), header.lane == .content else { return nil }
        let branch = Branch(
            device: header.device, length: header.sequenceNumber, operations: [end], previous: header.previous)
        branches[end] = branch
        return branch
    }
}
