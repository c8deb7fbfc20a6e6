import Cryptography
import Membership
import OperationLog

public struct Group: Sendable {
    public static let capacity = 256
    public static let nameField = "name"
    public static let descriptionField = "description"
    public static let descriptionLimit = 500
    public static let settings: [String: [String]] = ["announcement": ["on", "off"]]
    public enum Refusal: Hashable, Sendable {
        case outranked(by: UserID)
        case insufficientPermissions, notAParticipant
        case invalid(String)
    }
    public struct Member: Hashable, Sendable {
        public let user: UserID
        public let tier: Tier
        public let joinedAt: Int64?
        public let addedBy: UserID?
    }
    public enum Standing: Hashable, Sendable { case member, invited, former }
    public struct Entry: Sendable {
        public let operation: Operation
        public let typeName: String
        public let isEffective: Bool
        public let sentence: String
        public let rule: String?
        public let decidedBy: OperationID?
        public let targets: [UserID]
    }

    let root: ConversationRoot
    let conversation: ConversationID
    var operations: [(Operation, MembershipBody, Int64)] = []
    var times: [OperationID: Int64] = [:]
    var resolver: MembershipResolver<OperationID, UserID>
    public private(set) var members: [Member] = []
    public private(set) var systemMessages: [SystemMessage] = []
    public private(set) var fields: [String: String] = [:]
    public private(set) var actingAdmin: UserID?
    var deviceUsers: [DeviceID: UserID] = [:]

    public init(conversation: ConversationID, root: ConversationRoot) {
        self.root = root
        self.conversation = conversation
        resolver = MembershipResolver(tieKey: { Digest.hash("", conversation.digest.bytes, $0.digest.bytes).bytes })
        if case .direct(let a, let b) = root {
            members = [a, b].map { Member(user: $0, tier: .member, joinedAt: nil, addedBy: nil) }
        }
    }
    public var name: String? { fields[Self.nameField] }
    public var description: String? { fields[Self.descriptionField] }
    public var isArchived: Bool {
        if case .direct = root { return false }
        return members.count < 2
    }
    public var lastChange: Int64 { systemMessages.map(\.effectiveTime).max() ?? 0 }
    public func isMember(_ u: UserID) -> Bool { members.contains { $0.user == u } }
    public func tier(of u: UserID) -> Tier? { members.first { $0.user == u }?.tier }
    public func mayWrite(_ u: UserID) -> Bool {
        fields["announcement"] != "on" || (tier(of: u) ?? .member) >= .moderator
    }
    public func counts(_ o: Operation) -> Bool { true }
    public func devices(of u: UserID) -> [DeviceID] { deviceUsers.filter { $0.value == u }.map(\.key).sorted() }
    public var audience: [UserID: Standing] {
        var a: [UserID: Standing] = [:]
        for u in resolver.everyone { a[u] = .former }
        for m in members { a[m.user] = .member }
        return a
    }
    public func revocations(of u: UserID) -> [OperationID] {
        operations.compactMap { o, b, _ in
            guard resolver.isEffective(o.id) else { return nil }
            switch b {
            case .remove(_, let t, _) where t == u: return o.id
            case .leave where o.author.user == u: return o.id
            case .ratify(_, _, let bans) where bans.contains(where: { $0.user == u }): return o.id
            default: return nil
            }
        }
    }
    public func authority(of u: UserID) -> MembershipBody.Authority? {
        if let g = resolver.grants(of: u).first(where: { $0.2 >= .moderator }) {
            return .grant(operation: g.0, slot: g.1)
        }
        return resolver.acting == u ? .acting : nil
    }
    public func refusal(of body: MembershipBody, by u: UserID) -> Refusal? { nil }
    public func history(name: (UserID) -> String) -> [Entry] {
        operations.map { o, b, _ in
            Entry(
                operation: o, typeName: "\(b.type.rawValue)", isEffective: resolver.isEffective(o.id),
                sentence: resolver.objection(o.id) ?? "effective", rule: resolver.objection(o.id), decidedBy: nil,
                targets: [])
        }
    }
    public mutating func insert(_ operation: Operation) {
        guard let body = operation.body, let decoded = try? MembershipBody.decode(body, type: operation.header.type)
        else { return }
        let parents = operation.header.parents
        let time = max(operation.header.time.milliseconds, (parents.compactMap { times[$0] }.max() ?? 0) + 1)
        times[operation.id] = time
        operations.append((operation, decoded, time))
        for r in MembershipBody.records(of: operation) { for e in r.devices { deviceUsers[e.device.id] = r.user } }
        guard case .group = root else { return }
        func au(_ a: MembershipBody.Authority) -> Authority<OperationID> {
            switch a {
            case .acting: .acting
            case .grant(let o, let s): .grant(o, slot: s)
            }
        }
        let action: Action<OperationID, UserID> =
            switch decoded {
            case .create: .create
            case .add(let a, let t): .add(au(a), t.map(\.user))
            case .invite(let a, let t): .invite(au(a), t.user)
            case .join(let i, _): .join(i)
            case .decline(let i): .decline(i)
            case .cancel(let a, let i): .cancel(au(a), i)
            case .remove(let a, let t, _): .remove(au(a), t)
            case .promote(let a, let t, let r): .promote(au(a), t, r)
            case .demote(let a, let t, let r): .demote(au(a), t, r)
            case .set(let a, let f, let v): .set(au(a), field: f, value: v)
            case .ratify(let a, let k, let b): .ratify(au(a), keep: k.map { ($0.user, $0.tier) }, bans: b.map(\.user))
            case .device: .device
            case .merge: .merge
            case .leave: .leave
            case .stepdown: .stepdown
            }
        resolver.insert(
            MembershipOperation(id: operation.id, author: operation.author.user, parents: parents, action: action))
        members = resolver.members.map {
            Member(user: $0.person, tier: $0.tier, joinedAt: $0.madeBy.flatMap { times[$0] }, addedBy: $0.addedBy)
        }
        actingAdmin = resolver.acting
        fields = resolver.registers()
        systemMessages = operations.compactMap { o, b, t in
            guard resolver.isEffective(o.id) else { return nil }
            let a: SystemMessage.Action
            switch b {
            case .create: a = .created
            case .add(_, let p): a = .added(p.map(\.user))
            case .remove(_, let p, _): a = .removed(p)
            case .leave: a = .left
            case .promote(_, let p, let r): a = .promoted(p, to: r.name)
            case .demote(_, let p, let r): a = .demoted(p, to: r.name)
            case .set(_, Self.nameField, let v): a = .renamed(v)
            case .join: a = .joined
            default: return nil
            }
            return SystemMessage(operation: o.id, actor: o.author.user, action: a, effectiveTime: t)
        }
    }
}
extension MembershipBody {
    public static func records(of operation: Operation) -> [IdentityRecord] {
        guard let body = operation.body, let d = try? decode(body, type: operation.header.type) else { return [] }
        switch d {
        case .create(_, let r), .join(_, let r), .device(let r): return [r]
        case .add(_, let t): return t
        case .invite(_, let r): return [r]
        default: return []
        }
    }
}
