import Membership
import OperationLog

/// Which operations somebody wrote in one go, because one could not hold it all.
///
/// Whoever makes a group writes its creation, its members and its name; whoever adds many people writes several additions. Each is
/// one act for those who read of it. Its parts follow one another directly on the chain of a device, at one claimed time.
struct Acts: Sendable {
    /// Parts that follow the first one, at most: each adds somebody, or sets something.
    private static let maximumLength = Group.capacity

    /// A part of an act, besides the first one.
    private struct Part {
        let beginning: OperationID
        /// How many parts stand before it on its chain: the same everywhere, also where the chain is forked.
        let number: Int
    }

    private var furtherParts: [OperationID: Part] = [:]
    /// The places in the lane of all parts of each act that has several.
    private var places: [OperationID: [Int]] = [:]

    /// The first part of the act that an operation belongs to.
    func beginning(of operation: OperationID) -> OperationID { furtherParts[operation]?.beginning ?? operation }

    /// The places of the parts of an act in the lane; nil if it has one.
    func parts(from beginning: OperationID) -> [Int]? { places[beginning] }

    /// Takes in an operation, after those before it.
    mutating func note(_ entry: Group.Entry, at place: Int, in lane: DecidedLane) {
        let header = entry.operation.header
        guard let previous = header.previous, header.parents == [previous], let before = lane.entry(previous),
            before.operation.header.time == header.time
        else { return }
        let last = furtherParts[previous] ?? Part(beginning: previous, number: 0)
        guard last.number < Self.maximumLength, let first = lane.resolver.index(of: last.beginning),
            entry.continues(lane.history[first])
        else { return }
        furtherParts[entry.operation.id] = Part(beginning: last.beginning, number: last.number + 1)
        places[last.beginning, default: [first]].append(place)
    }
}

extension Group.Entry {
    /// Whether it can be a further part of what an operation began.
    fileprivate func continues(_ beginning: Group.Entry) -> Bool {
        switch (beginning.body, body) {
        case (.create, .add), (.create, .set), (.add, .add): true
        default: false
        }
    }
}
