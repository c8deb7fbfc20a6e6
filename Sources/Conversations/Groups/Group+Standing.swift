import Membership
import OperationLog

/// How much say the author of a content operation had when he wrote it, from none up.
public enum AuthorStanding: Int, Comparable, Hashable, Sendable {
    /// He was no member.
    case outsider
    /// He speaks for himself.
    case member
    /// He also decides about what others wrote.
    case moderator

    /// Who has more say.
    public static func < (left: AuthorStanding, right: AuthorStanding) -> Bool { left.rawValue < right.rawValue }
}

extension Group {
    /// How much say the author of a content operation had at its own membership heads.
    ///
    /// A past never changes, so who loses a role later does not take back what he decided with it. But who is taken out of the group
    /// decides no more for others than what whoever took him out had seen, and what he writes on under old heads is the word of a
    /// member: else he would keep his role for ever, by not having heard of his removal.
    ///
    /// - Parameter lane: the lane this group was made of.
    /// - Complexity: O(1) for a member at heads asked about lately, O(*n*) in the lane for a moderator; else see ``Views``.
    public mutating func standing(ofAuthorOf operation: Operation, in lane: MembershipGraph) -> AuthorStanding {
        let heads = operation.header.membershipHeads
        let user = operation.author.user
        guard let tier = moment(at: heads, in: lane)?.tiers[user] else { return .outsider }
        guard tier >= .moderator else { return .member }
        let removals = removals(of: user)
        guard !removals.isEmpty else { return .moderator }
        let past = Set(lane.operations(through: heads).map(\.id))
        let isKept = removals.allSatisfy { removal in
            past.contains(removal.id)
                || removal.pins.contains {
                    $0.device == operation.author.id && $0.sequenceNumber >= operation.header.sequenceNumber
                }
        }
        return isKept ? .moderator : .member
    }

    /// The effective operations that take a person out, each with all that pins what of his counts.
    ///
    /// More than one operation can name stands in those that follow it: an operation that takes the same person out and directly follows another
    /// one on the chain of its author is a further part of it, effective or not.
    private func removals(of user: UserID) -> [(id: OperationID, pins: [Pin])] {
        var runs: [[Pin]] = []
        var runOfOperation: [OperationID: Int] = [:]
        var effective: [(id: OperationID, run: Int)] = []
        for entry in history {
            guard let pins = entry.pins(of: user) else { continue }
            let run: Int
            if let before = entry.operation.header.previous.flatMap({ runOfOperation[$0] }) {
                run = before
                runs[run] += pins
            } else {
                run = runs.count
                runs.append(pins)
            }
            runOfOperation[entry.operation.id] = run
            if entry.objection == nil { effective.append((entry.operation.id, run)) }
        }
        return effective.map { ($0.id, runs[$0.run]) }
    }

    /// Whether a person decides about what others wrote, now.
    public func mayModerate(_ user: UserID) -> Bool {
        tier(of: user).map { $0 >= .moderator } ?? false
    }

    /// What it takes to pin a message. In a direct conversation neither has a role, so both may.
    public var pinning: AuthorStanding {
        switch root {
        case .group: .moderator
        case .direct: .member
        }
    }
}
