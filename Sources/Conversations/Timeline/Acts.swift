import Membership
import OperationLog

/// Which operations somebody wrote in one go, because one could not hold it all.
///
/// Whoever makes a group writes its creation, its members and its name; whoever adds many people writes several
/// additions. Each is one act for those who read of it. Its parts follow one another directly on the chain of a device,
/// at one claimed time.
///
/// An act ends where the chain is forked at that time. No honest device forks a chain so, and a hostile one could give
/// an operation thousands of followers. As parts of one act, all of them would be told again whenever one more came. So
/// an act is always a path, of at most ``maximumLength`` further parts, and what it comes to does not depend on which
/// follower came first: none of several is a part.
struct Acts: Sendable {
    /// Parts that follow the first one, at most: each adds somebody, or sets something.
    private static let maximumLength = Group.capacity

    /// An operation that directly follows another one of its device, at the same time.
    private struct Follower {
        /// How many such operations stand before it on its chain: the same everywhere, also where the chain is forked.
        let number: Int
        /// The first part of its act: itself, where it is no part of another one.
        let beginning: OperationID
    }

    private var followers: [OperationID: Follower] = [:]
    /// The operations that have a follower.
    private var followed: Set<OperationID> = []
    /// The places in the lane of all parts of each act that has several, in the order of the chain.
    private var places: [OperationID: [Int]] = [:]
    /// The first parts of the acts that forks have cut, and of those that have become of the rest.
    private var cut: Set<OperationID> = []
    /// Operations for which an act was found so far: what this costs.
    private(set) var assigned = 0

    /// Whether a fork has changed acts since that was last taken over.
    var areCut: Bool { !cut.isEmpty }

    /// The first part of the act that an operation belongs to.
    func beginning(of operation: OperationID) -> OperationID { followers[operation]?.beginning ?? operation }

    /// The places of the parts of an act in the lane; nil if it has one.
    func parts(from beginning: OperationID) -> [Int]? { places[beginning] }

    /// The first parts of the acts that forks have changed since this was last asked.
    mutating func takeCut() -> Set<OperationID> {
        defer { cut = [] }
        return cut
    }

    /// Takes in an operation, after those before it.
    ///
    /// - Complexity: O(1); for the second follower of an operation O(*p*) in the parts of the act that it cuts.
    mutating func note(_ entry: Group.Entry, at place: Int, in lane: DecidedLane) {
        let header = entry.operation.header
        guard let previous = header.previous, header.parents == [previous], let before = lane.entry(previous),
            before.operation.header.time == header.time, entry.mayFollow,
            before.mayFollow || before.body?.type == .create
        else { return }
        // Counted by the chain alone, so that a fork moves no later boundary.
        let number = (followers[previous]?.number ?? 0) + 1
        guard number <= Self.maximumLength else { return }
        let isFirst = followed.insert(previous).inserted
        if !isFirst { cutAct(after: previous, in: lane) }
        assign(entry, at: place, number: number, to: isFirst ? beginning(of: previous) : nil, in: lane)
    }

    /// Makes an operation a part of the act before it if it can be one, and else the first part of its own.
    ///
    /// - Returns: the first part of its act.
    @discardableResult
    private mutating func assign(
        _ entry: Group.Entry, at place: Int, number: Int, to act: OperationID?, in lane: DecidedLane
    ) -> OperationID {
        assigned += 1
        let id = entry.operation.id
        guard let act, let first = lane.resolver.index(of: act), entry.continues(lane.history[first]) else {
            followers[id] = Follower(number: number, beginning: id)
            return id
        }
        followers[id] = Follower(number: number, beginning: act)
        places[act, default: [first]].append(place)
        return act
    }

    /// Ends an act with an operation, and makes acts of their own of the parts after it.
    private mutating func cutAct(after operation: OperationID, in lane: DecidedLane) {
        let beginning = beginning(of: operation)
        guard let parts = places[beginning], let last = lane.resolver.index(of: operation),
            let rest = parts.lastIndex(of: last).map({ parts[($0 + 1)...] }), !rest.isEmpty
        else { return }
        places[beginning] = rest.startIndex > 1 ? Array(parts[..<rest.startIndex]) : nil
        cut.insert(beginning)
        var act: OperationID?
        for place in rest {
            let entry = lane.history[place]
            guard let number = followers[entry.operation.id]?.number else { continue }
            let begun = assign(entry, at: place, number: number, to: act, in: lane)
            cut.insert(begun)
            act = begun
        }
    }
}

extension Group.Entry {
    /// Whether it can follow what somebody began in the same go.
    fileprivate var mayFollow: Bool {
        switch body {
        case .add, .set: true
        default: false
        }
    }

    /// Whether it can be a further part of what an operation began.
    fileprivate func continues(_ beginning: Group.Entry) -> Bool {
        switch (beginning.body, body) {
        case (.create, .add), (.create, .set), (.add, .add): true
        default: false
        }
    }
}
