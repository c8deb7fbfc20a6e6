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
        return isCutOff(operation, in: lane) ? .member : .moderator
    }

    /// Whether a content operation was written as if its author were in the group, and whoever took them out of it had not seen it.
    ///
    /// That is so while an effective operation outside its membership past takes the author out, and no pin of that operation names the
    /// author's device at this place or a later one. Everybody who holds the same lane gives the same answer.
    ///
    /// - Parameter lane: the lane this group was made of.
    /// - Complexity: O(1) for whom nobody ever took out; else O(*r* + *p*) in what took them out and its pins, and finding the past.
    public func isCutOff(_ operation: Operation, in lane: MembershipGraph) -> Bool {
        let exits = exits(of: operation.author.user)
        guard !exits.isEmpty, let past = lane.past(of: operation.header.membershipHeads) else { return false }
        return exits.contains { exit in
            !lane.contains(exit.operation, in: past)
                && !exit.pins.contains {
                    $0.device == operation.author.id && $0.sequenceNumber >= operation.header.sequenceNumber
                }
        }
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
