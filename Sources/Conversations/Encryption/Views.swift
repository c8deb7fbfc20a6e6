import Membership
import OperationLog

/// Finds the view, and who had a say, at any membership heads of one conversation.
///
/// Most messages are written under the newest heads, and a backlog names ever newer ones: so the state at the last heads asked about is
/// kept, and goes on from there where it can.
struct Views: Sendable {
    /// How many views are remembered before all are forgotten.
    private static let limit = 1_024

    private var known: [[OperationID]: Moment] = [:]
    private var last: PastState

    /// What follows from a past.
    struct Moment: Sendable {
        let view: View
        /// The members with their roles; admin for the acting admin.
        let tiers: [UserID: Tier]
    }

    init(conversation: ConversationID, root: ConversationRoot) {
        last = PastState(conversation: conversation, root: root)
    }

    /// What follows from the past of some heads that was asked about lately.
    func moment(at heads: [OperationID]) -> Moment? { known[heads] }

    /// What follows from the past of some heads, which ``moment(at:)`` does not know; nil if one of them is not in the lane.
    ///
    /// - Parameter entries: finds an operation of the lane with its decoded body.
    /// - Complexity: O(*n*) in the lane, and what judging the operations costs that the last past did not have: all of them where it is
    ///   no part of this one.
    mutating func moment(
        at heads: [OperationID], in lane: MembershipGraph, entries: (OperationID) -> Group.Entry?
    ) -> Moment? {
        guard heads.allSatisfy(lane.contains) else { return nil }
        let past = lane.operations(through: heads)
        if !last.isContained(in: past) { last = last.emptied }
        for operation in past where !last.holds(operation.id) {
            guard let entry = entries(operation.id) else { return nil }
            last.append(entry)
        }
        let moment = last.moment
        if known.count >= Self.limit { known = [:] }
        known[heads] = moment
        return moment
    }
}

/// Who is a member, and with which keys, after some operations of a lane.
private struct PastState: Sendable {
    private let conversation: ConversationID
    private let root: ConversationRoot
    private var resolver: MembershipResolver<OperationID, UserID>
    private var held: Set<OperationID> = []
    private var credentials = KnownCredentials()

    init(conversation: ConversationID, root: ConversationRoot) {
        self.conversation = conversation
        self.root = root
        resolver = Group.resolver(of: conversation)
    }

    var emptied: PastState { PastState(conversation: conversation, root: root) }

    func holds(_ id: OperationID) -> Bool { held.contains(id) }

    func isContained(in past: [OperationLog.Operation]) -> Bool {
        held.count <= past.count && past.count(where: { held.contains($0.id) }) == held.count
    }

    mutating func append(_ entry: Group.Entry) {
        held.insert(entry.operation.id)
        for person in entry.body?.credentials ?? [] { credentials.learn(person) }
        guard case .group = root else { return }
        _ = resolver.insert(entry.decided)
    }

    var moment: Views.Moment {
        switch root {
        case .direct(let first, let second):
            let people = first == second ? [first] : [first, second]
            return Views.Moment(
                view: view(of: people), tiers: Dictionary(uniqueKeysWithValues: people.map { ($0, .member) }))
        case .group:
            let members = resolver.state.members
            return Views.Moment(
                view: view(of: members.map(\.person)),
                tiers: Dictionary(members.map { ($0.person, $0.tier) }) { first, _ in first })
        }
    }

    private func view(of people: [UserID]) -> View {
        var devices = people.map { user in
            (credentials[user]?.readers ?? [])[...]
        }
        var readers: [View.Reader] = []
        while readers.count < View.limit, devices.contains(where: { !$0.isEmpty }) {
            for person in devices.indices where readers.count < View.limit {
                if let next = devices[person].popFirst() { readers.append(next) }
            }
        }
        return View(of: conversation, readers: readers)
    }
}

extension Credentials {
    /// The devices to which one can seal, ascending.
    fileprivate var readers: [View.Reader] {
        wraps.map { View.Reader(user: user, device: $0.device, wrapKey: $0.key) }
    }
}
