import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

/// Puts gaps into words: what is missing, and who can fill it.
extension Node {
    /// Texts that are named one by one where a whole conversation is verified; the rest is counted.
    private static let maximumGapsNamed = 100

    /// The gap where the text of a message should be; nil where none is wanted.
    func gap(at operation: Operation, in replica: Replica) -> GapDescription? {
        core.gap(at: operation, in: replica.id).map { describe($0) }
    }

    /// What is missing of a conversation besides texts.
    func missingOperations(in replica: Replica) -> [GapDescription] {
        // What others have is not taken, so no source is named.
        if let reason = core.reasonHeldBack(replica.id) { return [lackOfRoom(reason, in: replica)] }
        return core.missingOperations(in: replica.id).map { describe($0) }
    }

    /// What is said of a conversation of which no more is taken, and what changes that.
    private func lackOfRoom(_ reason: LackOfRoom, in replica: Replica) -> GapDescription {
        let text: String
        switch reason {
        case .unaccepted:
            let isAsked = core.isRequest(replica) && !replica.isDirect
            let way = isAsked ? "moot accept does that" : "marking it as read does that: moot mark-read"
            text = "others have more, which is not taken before you accept this conversation; \(way)"
        case .decisions:
            let counts = Dictionary(grouping: replica.log.membership.operations, by: \.author.user).mapValues(\.count)
            let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
            let author = most.map { "\($0.value) by \(contacts[$0.key].name)" } ?? "none"
            text =
                "so much was decided in this group, \(author), that no more is taken but what an admin's node brings; "
                + "an admin can remove who writes so much, and a new group begins without it"
        }
        return GapDescription(kind: .room, operations: [], sources: [], text: text)
    }

    /// Everything that is missing of a conversation; of texts at most 100.
    ///
    /// - Throws: `storage_failed`: a text that cannot be looked up must not count as here.
    func gaps(in replica: Replica) throws(NodeError) -> [GapDescription] {
        var texts: [GapDescription] = []
        do throws(StoreError) {
            for id in replica.wanted.first(Self.maximumGapsNamed) {
                guard let operation = try store.operation(id, of: replica.id) else { continue }
                if let gap = gap(at: operation, in: replica) { texts.append(gap) }
            }
        } catch {
            throw NodeError(error)
        }
        return texts + missingOperations(in: replica)
    }

    private func describe(_ gap: Gap) -> GapDescription {
        let sources = gap.sources.map { source in
            GapDescription.Source(
                user: source.user.description, name: contacts[source.user].name, device: source.device.description,
                author: source.isAuthor, reachable: source.isReachable, hadNothing: source.hadNothing)
        }
        let (kind, operations, missing): (GapDescription.Kind, [String], String) =
            switch gap.content {
            case .body(let id): (.text, [id.description], "not here yet")
            case .operations(let ids):
                (.operations, ids.map(\.description), "something that others refer to is missing")
            case .chain(let author, let range):
                (.operations, [], "\(Self.count(range.count)) of \(contacts[author.user].name) missing")
            }
        return GapDescription(
            kind: kind, operations: operations, sources: sources, text: "\(missing): \(Self.words(for: sources))")
    }

    private static func count(_ operations: Int) -> String {
        operations == 1 ? "1 operation" : "\(operations) operations"
    }

    /// Who can fill a gap, for example `Bob is asked for it; Alice (who wrote it) could fill the gap and is not
    /// reachable now`.
    private static func words(for sources: [GapDescription.Source]) -> String {
        let asked = sources.filter { $0.reachable && !$0.hadNothing }
        let without = sources.filter { $0.reachable && $0.hadNothing }
        let away = sources.filter { !$0.reachable }
        var parts: [String] = []
        if !asked.isEmpty { parts.append("\(list(asked)) \(asked.count == 1 ? "is" : "are") asked for it") }
        if !without.isEmpty { parts.append("\(list(without)) \(without.count == 1 ? "does" : "do") not have it") }
        if !away.isEmpty {
            parts.append("\(list(away)) could fill the gap and \(away.count == 1 ? "is" : "are") not reachable now")
        }
        return parts.isEmpty ? "nobody is known who can fill the gap" : parts.joined(separator: "; ")
    }

    private static func list(_ sources: [GapDescription.Source]) -> String {
        let names = sources.map { $0.author ? "\($0.name) (who wrote it)" : $0.name }
        guard names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }
}
