import Cryptography
import Membership
import OperationLog
import Storage
import Time

/// A conversation as its membership lane decides it: who is in it, what it is called, and what happened.
///
/// Derived from admitted operations alone, so it can be rebuilt from the log at any time and is the same on every
/// replica that holds the same lane. Direct conversations have two members forever and nothing to decide. To hand it on
/// costs one reference.
public struct Group {
    /// Members a group may have; whoever is added beyond them waits.
    public static let capacity = 256
    /// The register that holds the name.
    public static let nameField = "name"
    /// The register that holds the description.
    public static let descriptionField = "description"
    /// Characters a description may have.
    public static let maximumDescriptionLength = 500

    /// A member.
    public struct Member: Hashable, Sendable {
        /// The person.
        public let user: UserID
        /// The role.
        public let role: Role
        /// When the person's membership began, in milliseconds since 1970; nil in a direct conversation.
        public let joinedAt: Int64?
        /// The operation with which it began; nil in a direct conversation.
        public let madeBy: OperationID?
        /// Who added the person, unless they came by themselves.
        public let addedBy: UserID?
    }

    /// An operation of the lane with its verdict.
    public struct Entry: Sendable {
        /// The operation.
        public let operation: Operation
        private let said: Said?
        fileprivate(set) var verdict: Verdict<OperationID>
        /// Its place in the conversation, in milliseconds since 1970.
        public let hybridTime: Int64

        /// A body in a place of its own: most operations of a long lane merge, and need none.
        private final class Said: Sendable {
            static let merge = Said(.merge)
            let body: MembershipBody

            init(_ body: MembershipBody) { self.body = body }
        }

        fileprivate init(
            _ operation: Operation, saying body: MembershipBody?, verdict: Verdict<OperationID>, hybridTime: Int64
        ) {
            self.operation = operation
            said = body.map { $0 == .merge ? .merge : Said($0) }
            self.verdict = verdict
            self.hybridTime = hybridTime
        }

        /// What it says; nil for a type this version does not know.
        public var body: MembershipBody? { said?.body }

        /// Why it is void; nil if it is effective.
        public var voidReason: VoidReason<OperationID>? { verdict.voidReason }

        /// What the rules make of the operation. One of a type we do not know has no effect, but it links what came
        /// before to what comes after.
        var decided: MembershipOperation<OperationID, UserID, DeviceID> {
            MembershipOperation(
                id: operation.id, author: operation.author.user, device: operation.author.id,
                parents: operation.header.parents, action: body?.action ?? .merge)
        }

        /// Whether nothing follows from it while this is its verdict: nobody is named by it, and nobody has to be told
        /// what made it void.
        fileprivate var isInert: Bool {
            guard voidReason?.decidedBy == nil else { return false }
            return switch body {
            case .merge, nil: true
            case .set, .remove, .cancel, .decline, .leave, .stepdown: voidReason != nil
            case .create, .add, .invite, .join, .promote, .demote, .ratify, .device, .revoke: false
            }
        }

        /// What the operation, if it counts and takes a person out, leaves of their content; nil if it does not take
        /// them out.
        func pins(of user: UserID) -> [Pin]? {
            switch body {
            case .remove(_, let target, let pins): target == user ? pins : nil
            case .leave(let pins): operation.author.user == user ? pins : nil
            case .ratify(_, _, let bans): bans.first { $0.user == user }?.pins
            case .create, .add, .invite, .join, .decline, .cancel, .promote, .demote, .set, .device, .merge, .stepdown,
                .revoke, nil:
                nil
            }
        }

        /// Whether the operation, if it counts, gives a person a role.
        fileprivate func grants(to user: UserID) -> Bool {
            switch body {
            case .create, .join: operation.author.user == user
            case .add(_, let targets): targets.contains { $0.user == user }
            case .promote(_, let target, _): target == user
            case .ratify(_, let keep, _): keep.contains { $0.user == user }
            case .invite, .decline, .cancel, .remove, .demote, .set, .device, .merge, .leave, .stepdown, .revoke, nil:
                false
            }
        }
    }

    private struct State {
        let root: ConversationRoot
        var members: [Member] = [] {
            didSet { roles = Dictionary(members.map { ($0.user, $0.role) }) { first, _ in first } }
        }
        /// What each of them may do: this is asked of somebody for nearly everything that happens.
        private(set) var roles: [UserID: Role] = [:]
        /// What the resolver says of the group now; nil in a direct conversation.
        var outcome: MembershipState<OperationID, UserID>?
        var timeline = Timeline()
        var history: [Entry] = []
        var resolver: MembershipResolver<OperationID, UserID, DeviceID>
        var devices: [UserID: Set<DeviceID>] = [:]
        var credentials = KnownCredentials()
        /// The operations that revoke each device, whether they count or not.
        var revocations: [UserID: [DeviceID: [OperationID]]] = [:]
        /// Where the operations of a direct conversation are in its history; of those of a group the resolver knows it.
        var places: [OperationID: Int] = [:]
        /// Everybody whom it is shared with, or ever was.
        var named: Set<UserID> = []
        /// Who was ever given an office, by what counts or not, and whether anything was done to the founder's: only
        /// then anybody acts as admin.
        var offices = Offices()
        /// What decides whose content counts.
        var authority = ContentAuthority()
        var views: Views

        /// What was decided, apart from the views that are found from it.
        var decided: DecidedLane { DecidedLane(resolver: resolver, history: history, places: places) }
    }

    @CopyOnWrite private var state: State

    /// Begins with an empty lane.
    public init(conversation: ConversationID, root: ConversationRoot) {
        state = State(
            root: root, resolver: Self.resolver(of: conversation), views: Views(conversation: conversation, root: root))
        if case .direct(let first, let second) = root {
            state.named = [first, second]
            state.members = state.named.sorted().map {
                Member(user: $0, role: .member, joinedAt: nil, madeBy: nil, addedBy: nil)
            }
        }
    }

    /// The members, the highest role first, then by seniority.
    public var members: [Member] { state.members }

    /// Those who were added while the group was full, or before whom others came: they are members as soon as there is
    /// room, the next one first.
    public var waiting: [Member] { state.outcome?.waitlist.map(member) ?? [] }

    /// Whether somebody waits for room.
    public func isWaiting(_ user: UserID) -> Bool {
        state.outcome?.waitlist.contains { $0.person == user } ?? false
    }

    /// Who acts as admin while nobody is one.
    public var actingAdmin: UserID? { state.outcome?.actingAdmin }

    /// What the conversation tells about itself, in order.
    ///
    /// Not everybody reads all of them: ``isTold(_:to:)`` says who reads which.
    public var systemMessages: [SystemMessage] { state.timeline.messages }

    /// When a person was in the group, as it is told.
    func stays(of user: UserID) -> Stays { state.timeline.stays(of: user) }

    /// The lane with its verdicts, each operation after its parents.
    public var history: [Entry] { state.history }

    var root: ConversationRoot { state.root }

    var resolver: MembershipResolver<OperationID, UserID, DeviceID> { state.resolver }

    /// Everybody whom the conversation is shared with, or ever was: whom the lane invites, or gives a role, effectively
    /// or not.
    var named: Set<UserID> { state.named }

    /// Whether anything that counts took a person out of the group. O(1).
    func wasTakenOut(_ user: UserID) -> Bool { state.authority.exits.concern(user) }

    /// What took a person out of the group and counts, in no order.
    func exits(of user: UserID) -> [Exits.Exit] { state.authority.exits[user] }

    /// Those that pin the content of one of the person's devices.
    func exits(of user: UserID, pinning device: DeviceID) -> [Exits.Exit] {
        state.authority.exits.pinning(device, of: user)
    }

    /// What took a person out of the group and counts, the earliest first.
    mutating func earliestExits(of user: UserID) -> OrderedExits {
        // What is known is only looked at: to change it would copy it where a copy of the group is held.
        state.authority.exits.earliestFirst(of: user) ?? state.authority.exits.earliestFirst(of: user, by: resolver)
    }

    /// The operations that revoke a device and count, in the order of the lane.
    func revocations(of device: DeviceID, of user: UserID) -> [OperationID] {
        (state.revocations[user]?[device] ?? []).filter { entry($0)?.voidReason == nil }
    }

    /// Whether some operation of the lane revokes a device, whether it counts or not.
    public func mayBeRevoked(_ device: DeviceID, of user: UserID) -> Bool { state.revocations[user]?[device] != nil }

    /// The devices of each user that some operation revokes, and that one counts.
    public var revokedDevices: [(user: UserID, device: DeviceID)] {
        state.revocations.flatMap { user, devices in
            devices.filter { $0.value.contains { entry($0)?.voidReason == nil } }.map { (user, $0.key) }
        }
    }

    /// An operation of the lane; nil if it is not here.
    public func entry(_ id: OperationID) -> Entry? { state.decided.entry(id) }

    static func resolver(of conversation: ConversationID) -> MembershipResolver<OperationID, UserID, DeviceID> {
        // Nobody can choose their key so that it orders first before the conversation exists.
        MembershipResolver(capacity: capacity) { user in
            TieBreaker(Digest.hash("moot/1/tie", conversation.digest.bytes, user.digest.bytes).bytes)
        }
    }

    /// The name as it was set, if one was.
    public var name: String? { state.outcome?.registers[RegisterName(Self.nameField)] }

    /// The name as it is shown; nil if none was set, or if nothing of it is seen.
    public var shownName: String? { name.flatMap(DisplayName.shown) }

    /// The description, if one was set.
    public var description: String? { state.outcome?.registers[RegisterName(Self.descriptionField)] }

    /// The value of a register, if it was ever set.
    func value(of field: String) -> String? { state.outcome?.registers[RegisterName(field)] }

    /// Whether fewer than two members are left. Derived, so adding somebody ends it.
    public var isArchived: Bool {
        switch root {
        case .group: members.count < 2
        case .direct: false
        }
    }

    /// When something last happened, in milliseconds since 1970; 0 for never.
    public var lastChange: Int64 { systemMessages.last?.hybridTime ?? 0 }

    /// Whether a person is in the conversation now.
    public func isMember(_ user: UserID) -> Bool { role(of: user) != nil }

    /// Whether a person is in the group no more because they left it themselves.
    public func hasLeft(_ user: UserID) -> Bool {
        guard !isMember(user) else { return false }
        return stays(of: user).exits.reversed().lazy.compactMap { self.entry($0.id)?.body?.type }
            .first { $0 != .ratify } == .leave
    }

    /// The operation by which somebody else made a person the member they are; nil for people who came by themselves,
    /// or are no members.
    public func adding(of user: UserID) -> OperationID? {
        members.first { $0.user == user && $0.addedBy != nil }?.madeBy
    }

    /// Whether a person is a member by what they did themselves, or by an operation that they agreed to, be it the most
    /// senior or not.
    ///
    /// Of several that made them one apart from each other, the last to come may be the most senior: that ends nothing.
    public func isMember(_ user: UserID, byOwnActOr agreed: OperationID?) -> Bool {
        resolver.grants(of: user).contains { $0 == agreed || entry($0)?.operation.author.user == user }
    }

    /// A member's role.
    public func role(of user: UserID) -> Role? { state.roles[user] }

    /// Whether a member may write messages.
    public func mayWrite(_ user: UserID) -> Bool {
        guard let role = role(of: user) else { return false }
        return state.outcome?.registers[RegisterName(Self.announcementField)] != "on" || role >= .moderator
    }

    /// The devices that records in the lane certify for a person, ascending.
    public func devices(of user: UserID) -> [DeviceID] { (state.devices[user] ?? []).sorted() }

    /// The devices of the members of now.
    public var countingDevices: Set<DeviceID> {
        Set(members.flatMap { certifiedDevices(of: $0.user) })
    }

    /// The devices of a person, as the lane knows them: those that the counting identity record certifies, less those
    /// taken out.
    func certifiedDevices(of user: UserID) -> [DeviceID] {
        state.credentials.devices(of: user).map(\.device.id)
    }

    /// The identity record of a person that counts in the lane; nil if the lane has none.
    public func identity(of user: UserID) -> IdentityRecord? { credentials(of: user)?.identity }

    /// What counts in the lane of a person's devices and their keys; nil if it has none of their records.
    public func credentials(of user: UserID) -> Credentials? { state.credentials[user] }

    /// The newest record of a person in the lane that names a device, be it the one that counts or not.
    ///
    /// - Complexity: O(*n*) in the lane.
    public func lastIdentity(of user: UserID, naming device: DeviceID) -> IdentityRecord? {
        state.history.lazy.flatMap { $0.body?.credentials ?? [] }.map(\.identity)
            .filter { $0.user == user && $0.certifies(device) }.max { $1.supersedes($0) }
    }

    /// The tombstones in the lane, in no order.
    public var tombstones: [Tombstone] {
        state.credentials.usersWithTombstones.flatMap { state.credentials.tombstones(of: $0).all }
    }

    /// What the lane lacks of some tombstones, as far as its records ever certified their devices, and it has room:
    /// what has none would be lacking however often somebody writes it.
    public func lacking(_ tombstones: [Tombstone]) -> [Tombstone] {
        tombstones.filter { tombstone in
            state.devices[tombstone.user]?.contains(tombstone.device) == true
                && state.credentials.tombstones(of: tombstone.user).wouldTake(tombstone)
        }
    }

    /// Whether the lane knows a device as one of its user's.
    func certifies(_ device: Device) -> Bool {
        state.credentials.certifies(device)
    }

    /// The key that the lane knows for a device now; nil if it published none there.
    public func wrapRecord(of device: DeviceID, of user: UserID) -> WrapRecord? {
        state.credentials[user]?.wraps.first { $0.device == device }
    }

    /// Whether messages can be sealed to a person: whether a device of theirs has published a key.
    public func reaches(_ user: UserID) -> Bool {
        state.credentials.hasKey(user)
    }

    /// Who may read what is written under some membership heads; nil if one of them is not here.
    ///
    /// - Parameter lane: the lane this group was made of.
    /// - Complexity: O(1) for heads asked about lately; else see ``Views``.
    public mutating func view(at heads: [OperationID], in lane: MembershipGraph) -> View? {
        moment(at: heads, in: lane)?.view
    }

    /// The view at some membership heads, if it was asked about lately: finding it changes nothing, so nothing is
    /// copied.
    package func cachedView(at heads: [OperationID]) -> View? { state.views.moment(at: decisive(heads))?.view }

    /// Whether a person is a member after the past of some membership heads: the acting admin is, and who waits for
    /// room is not.
    ///
    /// - Parameter lane: the lane this group was made of; false if one of the heads is not in it.
    /// - Complexity: as ``view(at:in:)``.
    public mutating func isMember(_ user: UserID, at heads: [OperationID], in lane: MembershipGraph) -> Bool {
        moment(at: heads, in: lane)?.roles[user] != nil
    }

    /// The operations that decide what follows from the past of some heads, where that is not the heads themselves; see
    /// ``DecisiveHeads``. Heads that are not here stay as they are.
    func decisive(_ heads: [OperationID]) -> [OperationID] {
        let places = heads.compactMap(place)
        guard places.count == heads.count, !state.views.decisiveHeads.areDecisive(places) else { return heads }
        return state.views.decisiveHeads.decisive(places).map { history[$0].operation.id }.sorted()
    }

    private func place(of id: OperationID) -> Int? { state.resolver.index(of: id) ?? state.places[id] }

    /// Operations that were looked at to tell what was done in one go.
    package var partsVisited: Int { state.timeline.partsVisited }

    /// Operations that were judged to find views and members at heads so far.
    package var judgedForPasts: Int { state.views.judged }

    mutating func moment(at heads: [OperationID], in lane: MembershipGraph) -> Views.Moment? {
        let heads = decisive(heads)
        if let known = state.views.moment(at: heads) { return known }
        let decided = state.decided
        return state.views.moment(at: heads, in: lane, as: decided)
    }

    /// By what right a person wrote content after the past of some heads.
    ///
    /// - Complexity: O(1) for whom nothing void ever gave a role; else as ``moment(at:in:)``, the first time, and
    ///   O(*g*) in their grants.
    mutating func standing(
        of user: UserID, at heads: [OperationID], in lane: MembershipGraph
    ) -> Standing<OperationID> {
        guard let role = moment(at: heads, in: lane)?.roles[user] else { return .outsider }
        // Also who acts as admin may have come to that by what is void.
        guard mayLackStanding(user) || role >= .admin && state.authority.hasVoidLosses else { return .role(role) }
        let (decided, heads) = (state.decided, decisive(heads))
        let grants = state.views.grants(of: user, at: heads, in: lane, as: decided)
        // Asked for of the acting admin only.
        lazy var past = lane.past(of: heads)
        return decided.resolver.standing(as: role, by: grants) { id in
            past.map { lane.contains(id, in: $0) } ?? false
        }
    }

    /// The people whom only void operations ever gave a role: nothing that they write counts.
    ///
    /// - Complexity: O(*n*) in those whom void operations gave one.
    public var neverLetIn: Set<UserID> { state.authority.doubtful.filter { !state.authority.hasLetIn($0) } }

    /// The people who were taken out, and those whom only void operations ever gave a role, as far as they are not in
    /// the conversation now.
    ///
    /// - Complexity: O(*n*) in them.
    public var outsiders: Set<UserID> { neverLetIn.union(state.authority.exits.users).filter { !isMember($0) } }

    /// The people who are in the conversation again after they were taken out.
    ///
    /// - Complexity: O(*n*) in those who ever were.
    public var returned: Set<UserID> { Set(state.authority.exits.users.filter(isMember)) }

    /// Whether a person is none of those whom only void operations ever gave a role. O(1).
    public func hasLetIn(_ user: UserID) -> Bool { !mayLackStanding(user) || state.authority.hasLetIn(user) }

    /// Whether a person was perhaps more than a member after the past of some heads. O(1); false is sure.
    public func mayHaveModerated(_ user: UserID) -> Bool { state.offices.mayHaveHeldOne(user) }

    /// Whether an operation that turned out to be void ever gave a person a role.
    func mayLackStanding(_ user: UserID) -> Bool { state.authority.doubtful.contains(user) }

    /// By what only moderators, admins and the founder write after the past of some heads; see ``ContentAuthority``.
    mutating func announcement(at heads: [OperationID], in lane: MembershipGraph) -> OperationID? {
        guard !state.authority.hasNoSettings else { return nil }
        let (decided, heads) = (state.decided, decisive(heads))
        if let known = state.authority.announcement(at: heads, in: decided) { return known }
        guard let past = lane.past(of: heads) else { return nil }
        return state.authority.announcement(
            at: heads, where: { lane.contains(decided.history[$0].operation.id, at: $0, in: past) }, in: decided)
    }

    /// Why a person is not in the conversation: the effective operations that took them out, and those by which what
    /// made them a member is void.
    ///
    /// Somebody whom a removed person added was never taken out directly.
    public func expulsions(of user: UserID) -> [OperationID] {
        var reasons: Set<OperationID> = []
        var void = history.filter { $0.voidReason != nil && $0.grants(to: user) }.map(\.operation.id)
        let deciders = decidingOperations
        while let id = void.popLast() {
            guard reasons.insert(id).inserted, let decider = deciders[id] else { continue }
            void.append(decider)
        }
        return reasons.union(revocations(of: user)).sorted()
    }

    /// What makes each operation of the lane void, or keeps it, where another one does.
    ///
    /// What keeps an operation of a device that was revoked is among them. A replica that holds a set of operations and
    /// all that this names for them reaches the same verdicts as everybody else: only an operation that is void itself,
    /// or a revocation of a device, could make an effective one seem void.
    public var decidingOperations: [OperationID: OperationID] {
        resolver.keepers.merging(
            history.lazy.compactMap { entry in entry.voidReason?.decidedBy.map { (entry.operation.id, $0) } }
        ) { _, decider in decider }
    }

    /// The operations that make any of the lane void, or keep any of it.
    public var deciders: Set<OperationID> {
        Set(history.lazy.compactMap { $0.voidReason?.decidedBy }).union(resolver.keepers.values)
    }

    /// The effective operations that took a person out.
    private func revocations(of user: UserID) -> [OperationID] {
        exits(of: user).map(\.operation)
    }
}

// MARK: - Growing

extension Group {
    /// Takes in operations of the membership lane, each after its parents.
    ///
    /// What follows from the lane is changed where it changes. In a lane of 10,000 operations, one more costs 0.1 ms
    /// this way; to find everything anew took 19 ms. Where a copy of the group is held, as while a node commits, most
    /// of the cost is copying: 3 ms.
    ///
    /// - Returns: whether anything may follow from them. From what joins heads, is unknown, or is void by its own past,
    ///   nothing does, unless it forks a chain where something was told as one act.
    /// - Complexity: what settling the resolver costs, O(*m*) in the members, and O(*n*) in the lane where a system
    ///   message does not come last, or somebody is acting admin; where nothing follows O(1) for each.
    @discardableResult
    public mutating func insert(_ operations: some Sequence<Operation>) -> Bool {
        let known = history.count
        for operation in operations { append(operation) }
        guard case .group = root else { return true }
        var changed: [Int] = []
        for id in state.resolver.settleReportingChanges() {
            if let place = judge(id, isNewFrom: known) { changed.append(place) }
        }
        let isInert = known > 0 && !state.timeline.isOutdated && state.history[known...].allSatisfy(\.isInert)
        if !isInert { derive(from: changed, beyond: known) }
        return !isInert
    }

    private mutating func append(_ operation: Operation) {
        let parents = operation.header.parents
        let lifted = (parents.compactMap { self.entry($0)?.hybridTime }.max() ?? 0) + 1
        let time = max(operation.header.time.milliseconds, lifted)
        let body = MembershipBody.of(operation)
        let entry = Entry(operation.withoutLongBody, saying: body, verdict: .effective, hybridTime: time)
        if case .direct = root { state.places[operation.id] = state.history.count }
        state.history.append(entry)
        for person in body?.credentials ?? [] {
            state.devices[person.user, default: []].formUnion(person.identity.devices.map(\.device.id))
            state.credentials.learn(person)
        }
        for tombstone in body?.tombstones ?? [] { state.credentials.learn(tombstone) }
        if case .revoke(let revocation) = body {
            state.revocations[revocation.user, default: [:]][revocation.device, default: []].append(operation.id)
        }
        defer { state.views.decisiveHeads.append(isInert: decidesNothing(entry), after: parents.compactMap(place)) }
        guard case .group = root else { return }
        let inserted = state.resolver.insert(entry.decided)
        precondition(inserted == .inserted, "the log admits an operation once, after its parents")
        state.named.formUnion(entry.peopleLetIn)
        state.offices.note(entry)
        state.timeline.note(entry, at: history.count - 1, in: state.decided)
    }

    /// Whether nothing follows from an operation in any past that holds it: it joins heads, is unknown, or is void by
    /// its own past and introduces nobody.
    private func decidesNothing(_ entry: Entry) -> Bool {
        guard let body = entry.body, body != .merge else { return true }
        return resolver.isVoidByItsPast(entry.operation.id) && body.credentials.isEmpty && body.tombstones.isEmpty
    }

    /// Takes over what the resolver says of an operation, and what follows from that operation alone.
    ///
    /// - Returns: its place in the lane, if it counts and did not before, or the other way round.
    private mutating func judge(_ id: OperationID, isNewFrom known: Int) -> Int? {
        guard let place = state.resolver.index(of: id), let verdict = state.resolver.verdict(of: id) else { return nil }
        let isNew = place >= known
        guard isNew || state.history[place].verdict != verdict else { return nil }
        let didCount = !isNew && state.history[place].voidReason == nil
        state.history[place].verdict = verdict
        state.authority.judge(place, in: state.decided)
        return (verdict.voidReason == nil) != didCount ? place : nil
    }

    private func member(_ member: MembershipState<OperationID, UserID>.Member) -> Member {
        Member(
            user: member.person, role: member.role, joinedAt: entry(member.madeBy)?.hybridTime, madeBy: member.madeBy,
            addedBy: member.addedBy)
    }

    /// Takes over who is in, and tells what is to be told.
    private mutating func derive(from changed: [Int], beyond known: Int) {
        let decided = state.resolver.state
        state.members = decided.members.map(member)
        state.outcome = decided
        let lane = state.decided
        state.timeline.update(at: changed, beyond: known, in: lane, actingAdmin: decided.actingAdmin)
    }
}
