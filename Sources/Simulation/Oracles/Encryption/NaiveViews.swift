import Conversations
import Cryptography
import Membership
import OperationLog

/// Who may read what is written under some membership heads, worked out from the text of the protocol and from all
/// operations there are.
///
/// Shares no code with the views of `Conversations`: members are those of the naive resolver, and of all records in the
/// past the one that counts is looked for each time.
final class NaiveViews {
    /// A device that may read, with its key.
    struct Reader: Hashable {
        let user: UserID
        let device: DeviceID
        let key: [UInt8]
    }

    /// A device that its user took out.
    struct Departed: Hashable {
        let user: UserID
        let device: DeviceID
    }

    private let log: NaiveLog
    private var known: [[OperationID]: Set<Reader>] = [:]

    /// - Parameter operations: everything that anybody holds of the conversation.
    init(of conversation: ConversationID, root: ConversationRoot, holding operations: [Operation]) {
        log = NaiveLog(of: conversation, root: root, holding: operations)
    }

    /// The readers; nil if the past is not whole.
    func readers(at heads: [OperationID]) -> Set<Reader>? {
        if let readers = known[heads] { return readers }
        let ids = log.membershipPast(of: heads)
        guard heads.allSatisfy({ log.operations[$0] != nil }) else { return nil }
        let past = log.operations(in: .membership).filter { ids.contains($0.id) }
        guard let readers = readers(after: past) else { return nil }
        known[heads] = readers
        return readers
    }

    /// Whether a person was ever to be a member, as the past of some heads tells it.
    func wasNamed(_ user: UserID, before heads: [OperationID]) -> Bool {
        let ids = log.membershipPast(of: heads)
        return log.operations(in: .membership).contains { operation in
            ids.contains(operation.id)
                && (operation.author.user == user || credentials(in: operation).contains { $0.user == user })
        }
    }

    /// The devices that were taken out, as the past of some heads tells it.
    func departed(before heads: [OperationID]) -> Set<Departed> {
        let ids = log.membershipPast(of: heads)
        return Set(log.operations(in: .membership).filter { ids.contains($0.id) }.flatMap(departures))
    }

    /// The devices that records ever named, as the past of some heads tells it.
    func certified(before heads: [OperationID]) -> Set<DeviceID> {
        let ids = log.membershipPast(of: heads)
        let shown = log.operations(in: .membership).filter { ids.contains($0.id) }.flatMap(credentials)
        return Set(shown.flatMap { $0.identity.devices.map(\.device.id) })
    }

    /// The devices that an operation takes out.
    private func departures(in operation: Operation) -> [Departed] {
        guard let bytes = operation.body,
            let body = try? MembershipBody.decode(bytes, type: operation.header.type)
        else { return [] }
        let tombstones: [Tombstone] =
            switch body {
            case .device(_, _, let tombstones): tombstones
            case .revoke(let revocation): [revocation.tombstone]
            case .create, .add, .invite, .join, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge,
                .leave, .stepdown:
                []
            }
        return tombstones.map { Departed(user: $0.user, device: $0.device) }
    }

    private func credentials(in operation: Operation) -> [Credentials] {
        guard let bytes = operation.body,
            let body = try? MembershipBody.decode(bytes, type: operation.header.type)
        else { return [] }
        switch body {
        case .create(_, let one), .invite(_, .person(let one)), .join(_, let one, _): return [one]
        case .add(_, let people): return people
        case .device(let own, let other, _): return [own, other].compactMap(\.self)
        case .invite(_, .holder), .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge, .leave,
            .stepdown, .revoke:
            return []
        }
    }

    private func members(after past: [Operation]) -> Set<UserID>? {
        switch log.root {
        case .direct(let first, let second): return [first, second]
        case .group:
            guard let operations = try? past.map({ try NaiveOperation($0) }),
                let judged = try? NaiveMembership(judging: operations, of: log.conversation)
            else { return nil }
            return Set(judged.members.map(\.person))
        }
    }

    private func readers(after past: [Operation]) -> Set<Reader>? {
        guard let members = members(after: past) else { return nil }
        let gone = Set(past.flatMap(departures))
        let shown = past.flatMap(credentials)
        var readers: Set<Reader> = []
        for user in members {
            let lists = shown.filter { $0.user == user }.map(\.identity)
            let counting = lists.filter { list in !lists.contains { $0.supersedes(list) } }
            for device in Set(counting.flatMap { $0.devices.map(\.device.id) })
            where !gone.contains(Departed(user: user, device: device)) {
                let records = shown.flatMap(\.wraps).filter { $0.device == device }
                guard let record = records.first(where: { one in !records.contains { $0.supersedes(one) } }) else {
                    continue
                }
                readers.insert(Reader(user: user, device: device, key: record.key))
            }
        }
        return readers
    }

    /// Whether a key is what the author of an epoch committed to; nil if the epoch is not what it should be.
    func commitment(of key: EpochKey, in epoch: Operation) -> Bool? {
        guard let body = epoch.body, body.count >= 64, let readers = readers(at: epoch.header.membershipHeads) else {
            return nil
        }
        var names = log.conversation.digest.bytes
        for reader in readers.sorted(by: { ($0.user, $0.device) < ($1.user, $1.device) }) {
            names += reader.user.digest.bytes + reader.device.digest.bytes + reader.key
        }
        var view = Digest.hash("moot/1/view", names)
        let ids = log.membershipPast(of: epoch.header.membershipHeads)
        let past = log.operations(in: .membership).filter { ids.contains($0.id) }
        let present = members(after: past) ?? []
        let gone = Set(past.flatMap(departures)).filter { present.contains($0.user) }
        if !gone.isEmpty {
            let ascending = gone.sorted { ($0.user, $0.device) < ($1.user, $1.device) }
            view = .hash(
                "moot/1/view-without", view.bytes,
                ascending.flatMap { $0.user.digest.bytes + $0.device.digest.bytes })
        }
        guard Array(body[..<32]) == view.bytes else { return false }
        var statement = Array("moot/1/commit".utf8) + log.conversation.digest.bytes + epoch.header.device.digest.bytes
        statement.append(UInt8(epoch.header.membershipHeads.count))
        for head in epoch.header.membershipHeads { statement += head.digest.bytes }
        return key.secret.digest(of: statement + view.bytes).bytes == Array(body[32..<64])
    }
}
