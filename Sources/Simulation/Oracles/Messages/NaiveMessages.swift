import Blobs
import Conversations
import OperationLog

/// What becomes of messages, worked out from the text of the protocol and from all that a replica holds.
///
/// Shares no code with `MessageState` and with who has a say in `Conversations`: roles are those of the naive resolver,
/// and every question is asked anew.
final class NaiveMessages {
    /// What somebody said about a message.
    struct Said {
        let operation: Operation
        let change: AnnotationBody.Change
    }

    /// An emoji of a person.
    struct Given: Hashable {
        let user: UserID
        let emoji: String
    }

    /// What a message shows.
    struct Shown: Hashable {
        var isDeleted = false
        /// The text that took the place of the first.
        var edited: String?
        var given: Set<Given> = []
        var isPinned = false
        /// What its author attached.
        var files: [BlobReference] = []
    }

    private enum Say: Int {
        case none, own, others
    }

    private let log: NaiveLog
    private let membership: [Operation]
    private let content: [OperationID: Operation]
    private let times: [OperationID: Int64]
    private var pasts: [[OperationID]: NaiveMembership<OperationID, UserID>] = [:]
    private lazy var whole = judged(membership)
    private lazy var void = Set(whole?.void.keys.map { $0 } ?? [])

    /// - Parameter operations: everything that the replica holds of the conversation.
    init(of conversation: ConversationID, root: ConversationRoot, holding operations: [Operation]) {
        log = NaiveLog(of: conversation, root: root, holding: operations)
        membership = log.operations(in: .membership)
        content = Dictionary(uniqueKeysWithValues: log.operations(in: .content).map { ($0.id, $0) })
        times = log.hybridTimes(of: .content)
    }

    /// What a message shows after all that was said about it, and about its files.
    func shown(_ message: Operation, after said: [Said], aboutFiles: [OperationID: [Said]] = [:]) -> Shown {
        let counting = said.filter { counts($0, about: message) }
        let order = counting.filter { isRead($0.operation, among: counting.map(\.operation)) }.sorted {
            (times[$0.operation.id] ?? 0, $0.operation.id) < (times[$1.operation.id] ?? 0, $1.operation.id)
        }
        var shown = Shown()
        for entry in order {
            let deletions = aboutFiles[entry.operation.id, default: []].filter { $0.change == .delete }
            switch entry.change {
            case .delete: return Shown(isDeleted: true)
            case .edit(let text, _):
                let isTakenBack = deletions.contains { $0.operation.author.user == message.author.user }
                if !isTakenBack { shown.edited = text }
            case .reaction(let emoji, let isPresent):
                let given = Given(user: entry.operation.author.user, emoji: emoji)
                if isPresent { shown.given.insert(given) } else { shown.given.remove(given) }
            case .pin(let isPinned): shown.isPinned = isPinned
            case .file(_, let reference, _):
                let isDeleted = deletions.contains { later in
                    later.operation.author.user == message.author.user || say(of: later.operation) == .others
                }
                if !isDeleted, shown.files.count < 16 { shown.files.append(reference) }
            }
        }
        return shown
    }

    /// Whether its author had the right to say it.
    private func counts(_ said: Said, about message: Operation) -> Bool {
        let isOwn = said.operation.author.user == message.author.user
        if isCutOff(said.operation), !isCutOff(message), !(isOwn && said.change == .delete) { return false }
        switch said.change {
        case .delete: return isOwn || say(of: said.operation) == .others
        case .edit, .file: return isOwn
        case .reaction: return say(of: said.operation) != .none
        case .pin: return say(of: said.operation) == .others || isDirect && say(of: said.operation) == .own
        }
    }

    /// Whether an operation is among the last 64 of its author and type; of files and deletions, the first.
    private func isRead(_ operation: Operation, among counting: [Operation]) -> Bool {
        let type = operation.header.type
        let same = counting.filter { $0.author.user == operation.author.user && $0.header.type == type }
        let place = (times[operation.id] ?? 0, operation.id)
        let before = same.count { (times[$0.id] ?? 0, $0.id) < place }
        return ([.delete, .file].contains(type) ? before : same.count - 1 - before) < 64
    }

    private var isDirect: Bool {
        switch log.root {
        case .direct: true
        case .group: false
        }
    }

    private func judged(_ operations: [Operation]) -> NaiveMembership<OperationID, UserID>? {
        guard let operations = try? operations.map({ try NaiveOperation($0) }) else { return nil }
        return try? NaiveMembership(judging: operations, of: log.conversation)
    }

    /// About what the author of an operation had a say.
    private func say(of operation: Operation) -> Say {
        if case .direct(let first, let second) = log.root {
            return [first, second].contains(operation.author.user) ? .own : .none
        }
        guard let role = role(of: operation) else { return .none }
        return role == .member || isCutOff(operation) ? .own : .others
    }

    /// The highest role that the author of an operation had at its heads by a grant whose operation is effective in the
    /// whole; nil for none.
    private func role(of operation: Operation) -> NaiveRole? {
        let (heads, user) = (operation.header.membershipHeads, operation.author.user)
        if pasts[heads] == nil {
            let past = log.membershipPast(of: heads)
            pasts[heads] = judged(membership.filter { past.contains($0.id) })
        }
        guard let past = pasts[heads], past.members.contains(where: { $0.person == user }) else { return nil }
        let counting = past.grants[user, default: []].filter { !void.contains($0.maker) }
        if past.actingAdmin == user, !counting.isEmpty, isOfficeVacant(at: heads) { return .admin }
        return counting.compactMap(\.role).max()
    }

    /// Whether what is effective in the whole left nobody an admin's grant in the past of some heads.
    private func isOfficeVacant(at heads: [OperationID]) -> Bool {
        let past = log.membershipPast(of: heads)
        return whole?.offices.allSatisfy { !past.contains($0.maker) || $0.losses.contains(where: past.contains) }
            ?? false
    }

    /// Whether the last effective setting in the past of some heads lets only moderators and more write.
    private func isAnnouncing(at heads: [OperationID]) -> Bool {
        let past = log.membershipPast(of: heads)
        let last = whole?.writes[Array("announcement".utf8)]?.last { past.contains($0) }
        guard let last, let bytes = membership.first(where: { $0.id == last })?.body,
            case .set(_, _, "on")? = try? MembershipBody.decode(bytes, type: .set)
        else { return false }
        return true
    }

    /// Whether an operation does not count: something effective that its past does not know takes its author out, and
    /// no pin of it names the operation; or its author had no say, or no say to write there.
    func isCutOff(_ operation: Operation) -> Bool {
        if !isDirect {
            guard let role = role(of: operation) else { return true }
            let says = [.message, .edit, .file].contains(operation.header.type)
            if says, role == .member, isAnnouncing(at: operation.header.membershipHeads) { return true }
        }
        let user = operation.author.user
        let past = log.membershipPast(of: operation.header.membershipHeads)
        return membership.contains { later in
            guard !past.contains(later.id), !void.contains(later.id), pins(of: user, in: later) != nil else {
                return false
            }
            return !isPinned(operation, by: later)
        }
    }

    /// Whether an operation that takes out a content operation's author names that operation, or one that follows it.
    private func isPinned(_ operation: Operation, by exit: Operation) -> Bool {
        let pins = pins(of: operation.author.user, in: exit)?.filter { $0.device == operation.author.id } ?? []
        let last = pins.max { ($0.sequenceNumber, $0.operation) < ($1.sequenceNumber, $1.operation) }
        return isOn(operation, chainTo: last?.operation)
    }

    /// Whether a content operation is another one, or before it on its chain.
    private func isOn(_ operation: Operation, chainTo last: OperationID?) -> Bool {
        var next = last
        while let id = next, id != operation.id { next = content[id]?.header.previous }
        return next != nil
    }

    // MARK: - Stolen devices

    /// Whether any device was revoked.
    var knowsRevocations: Bool { !revocations.isEmpty }

    /// Whether a content operation is of a device that was revoked, and nobody vouches for it: neither its user nor
    /// somebody else who took them out without knowing of that.
    func isRevoked(_ operation: Operation) -> Bool {
        let own = revocations.filter {
            $0.statement.user == operation.author.user && $0.statement.device == operation.author.id
        }
        guard !own.isEmpty, !own.flatMap(\.statement.messages).contains(where: { isOn(operation, chainTo: $0) }) else {
            return false
        }
        return !membership.contains { exit in
            guard exit.author.user != operation.author.user, !void.contains(exit.id),
                pins(of: operation.author.user, in: exit) != nil, isPinned(operation, by: exit)
            else { return false }
            let past = log.membershipPast(of: [exit.id])
            return !own.contains { past.contains($0.carrier) }
        }
    }

    private lazy var revocations = membership.compactMap {
        carrier -> (carrier: OperationID, statement: DeviceRevocation)? in
        guard let bytes = carrier.body, !void.contains(carrier.id),
            case .revoke(let statement)? = try? MembershipBody.decode(bytes, type: carrier.header.type)
        else { return nil }
        return (carrier.id, statement)
    }

    /// The pins of an operation that takes a person out.
    private func pins(of user: UserID, in operation: Operation) -> [Pin]? {
        guard let bytes = operation.body, let body = try? MembershipBody.decode(bytes, type: operation.header.type)
        else {
            return nil
        }
        switch body {
        case .remove(_, let target, let pins): return target == user ? pins : nil
        case .leave(let pins): return operation.author.user == user ? pins : nil
        case .ratify(_, _, let bans): return bans.first { $0.user == user }?.pins
        case .create, .add, .invite, .join, .decline, .cancel, .promote, .demote, .set, .device, .merge, .stepdown,
            .revoke:
            return nil
        }
    }
}
