import OperationLog

/// The chain of a device in a lane.
package struct NaiveChain: Hashable, Comparable, Sendable {
    /// The device.
    package let device: DeviceID
    /// The lane.
    package let lane: Lane

    /// The chain in which an operation is.
    init(_ operation: Operation) {
        device = operation.header.device
        lane = operation.header.lane
    }

    package static func < (left: NaiveChain, right: NaiveChain) -> Bool {
        (left.lane, left.device) < (right.lane, right.device)
    }
}

/// The end of a chain or of one of its branches.
package struct NaiveTip: Hashable, Sendable {
    /// Its place in the chain.
    package let sequenceNumber: UInt64
    /// Its name.
    package let id: OperationID
}

/// Several operations of one device at one place: proof that it equivocated.
package struct NaiveFork: Hashable, Sendable {
    /// The chain.
    package let chain: NaiveChain
    /// The place.
    package let sequenceNumber: UInt64
    /// The operations there, ascending.
    package let operations: [OperationID]
}

extension NaiveLog {
    /// The ends of each device's chain in a lane: what no operation of the same chain follows.
    package func frontier(of lane: Lane) -> [DeviceID: Set<NaiveTip>] {
        let operations = operations(in: lane)
        let followed = Set(operations.compactMap(\.header.previous))
        return operations.filter { !followed.contains($0.id) }.reduce(into: [:]) { frontier, operation in
            frontier[operation.header.device, default: []].insert(
                NaiveTip(sequenceNumber: operation.header.sequenceNumber, id: operation.id))
        }
    }

    /// The operations of a lane that no other one names as parent, ascending.
    package func heads(of lane: Lane) -> [OperationID] {
        let operations = operations(in: lane)
        return Set(operations.map(\.id)).subtracting(operations.flatMap(\.header.parents)).sorted()
    }

    /// Every place at which a device wrote more than one operation, in both lanes, by chain and place.
    package var forks: [NaiveFork] {
        Dictionary(grouping: causalOrder, by: NaiveChain.init).sorted { $0.key < $1.key }.flatMap { chain, operations in
            Dictionary(grouping: operations, by: \.header.sequenceNumber).filter { $0.value.count > 1 }
                .sorted { $0.key < $1.key }
                .map { NaiveFork(chain: chain, sequenceNumber: $0, operations: $1.map(\.id).sorted()) }
        }
    }
}
