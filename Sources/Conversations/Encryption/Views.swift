import Membership
import OperationLog

/// Finds the view at any membership heads of one conversation.
///
/// Most messages are written under the newest heads, and a backlog names ever newer ones: so the state at the last heads asked about is
/// kept, and goes on from there where it can.
struct Views: Sendable {
    /// How many views are remembered before all are forgotten.
    private static let limit = 1_024

    private var known: [[OperationID]: View] = [:]
    private var last: PastState

    init(conversation: ConversationID, root: ConversationRoot) {
        last = PastState(conversation: conversation, root: root)
    }

    /// The view at some heads; nil if one of them is not in the lane.
    ///
    /// - Parameter entries: finds an operation of the lane with its decoded body.
    /// - Complexity: O(1) for heads asked about before; else O(*n*) in the lane, and what judging the operations costs that the last
    ///   past did not have: all of them where it is no part of this one.
    mutating func view(
        at heads: [OperationID], in lane: MembershipGraph, entries: (OperationID) -> Group.Entry?
    ) -> View? {
        if let view = known[heads] { return view }
        guard heads.allSatisfy(lane.contains) else { return nil }
        let past = lane.operations(through: heads)
        if !last.isContained(in: past) { last = last.emptied }
        for operation in past where !last.holds(operation.id) {
            guard let entry = entries(operation.id) else { return nil }
            last.append(entry)
        }
        let view = last.view
        if known.count >= Self.limit { known = [:] }
        known[heads] = view
        return view
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

    var view: View {
        let people: [UserID]
        switch root {
        case .direct(let first, let second): people = first == second ? [first] : [first, second]
        case .group: people = resolver.state.members.map(\.person)
        }
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
