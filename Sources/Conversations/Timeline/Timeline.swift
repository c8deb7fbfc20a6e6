import Cryptography
import Membership
import OperationLog
import Storage

/// What a group tells its members about itself: the system messages, and who of them reads which.
///
/// Derived from the effective operations of the lane. It is changed where they change, and says what it would say if it
/// were derived anew, whatever the order in which operations came.
struct Timeline: Sendable {
    /// The messages, in order.
    private(set) var messages: [SystemMessage] = []
    private var stays: [UserID: Stays] = [:]
    private var registers: [RegisterName: RegisterWrites] = [:]
    private var acts = Acts()
    private var successions = Successions()
    private var told = 0

    /// Parts of acts that were told so far, or found an act: what telling them costs.
    var partsVisited: Int { told + acts.assigned }

    /// Whether a fork has changed what is one act, so that something is to be told whatever the verdicts.
    var isOutdated: Bool { acts.areCut }

    /// When a person was in the group.
    func stays(of user: UserID) -> Stays { stays[user] ?? Stays() }

    /// Notes which operations were written in one go.
    mutating func note(_ entry: Group.Entry, at place: Int, in lane: DecidedLane) {
        acts.note(entry, at: place, in: lane)
    }

    /// Tells what follows from operations that count now and did not before, or the other way round.
    ///
    /// - Parameters:
    ///   - places: where they are in the lane.
    ///   - known: how many operations of the lane were told before.
    ///   - actingAdmin: who acts as admin while nobody is one.
    /// - Complexity: O(*g* + *r*) in what those whom they concern were granted and lost, O(*p*) in the parts of the
    ///   acts that they belong to, which ``Acts`` limits, and O(*n*) in the messages where one does not come last;
    ///   where somebody acted as admin also what ``Successions/update(at:in:actingAdmin:)`` costs.
    mutating func update(at places: [Int], beyond known: Int, in lane: DecidedLane, actingAdmin: UserID?) {
        var concerned: Set<OperationID> = []
        let entries = places.map { lane.history[$0] }
        concerned.formUnion(entries.map(\.operation.id))
        concerned.formUnion(updateStays(entries, in: lane))
        concerned.formUnion(updateRegisters(entries, in: lane))
        let beginnings = acts.takeCut().union(concerned.map(acts.beginning(of:)))
        let toldBefore = beginnings.filter { lane.resolver.index(of: $0).map { $0 < known } ?? false }
        if !toldBefore.isEmpty {
            messages.removeAll { !$0.action.isSuccession && toldBefore.contains($0.operation) }
        }
        var news: [SystemMessage] = []
        for beginning in beginnings {
            let parts = parts(ofActFrom: beginning, in: lane)
            told += parts.count
            news += messages(of: parts, from: beginning)
        }
        insert(news)
        if successions.update(at: places, in: lane, actingAdmin: actingAdmin) {
            messages.removeAll { $0.action.isSuccession }
            insert(successions.messages)
        }
    }

    /// - Returns: the operations that begin or end a stay and did not before, or the other way round.
    private mutating func updateStays(_ entries: [Group.Entry], in lane: DecidedLane) -> Set<OperationID> {
        var changes: [UserID: Stays.Change] = [:]
        for entry in entries {
            let (position, isEffective) = (entry.position, entry.voidReason == nil)
            for user in Set(entry.peopleGranted) {
                changes[user, default: Stays.Change()].grants.note(position, counts: isEffective)
            }
            for user in Set(entry.peopleTakenOut) {
                changes[user, default: Stays.Change()].exits.note(position, counts: isEffective)
            }
        }
        var concerned: Set<OperationID> = []
        for (user, change) in changes {
            let edges = stays[user, default: Stays()].update(change) { makers, exits in
                lane.resolver.firstEndings(ofGrantsBy: makers, to: user, among: exits)
            }
            concerned.formUnion(edges)
        }
        return concerned
    }

    /// - Returns: the writes of registers of which something else became.
    private mutating func updateRegisters(_ entries: [Group.Entry], in lane: DecidedLane) -> [OperationID] {
        var changes: [RegisterName: [RegisterWrites.Change]] = [:]
        for entry in entries {
            guard case .set(_, let field, let value) = entry.body else { continue }
            let name = RegisterName(field)
            if registers[name] == nil { registers[name] = RegisterWrites(initial: Group.initialValue(of: field)) }
            changes[name, default: []].append(
                .init(position: entry.position, value: entry.voidReason == nil ? value : nil))
        }
        return changes.flatMap { name, changes in
            registers[name]?.update(changes, outwrites: lane.resolver.outwrites) ?? []
        }
    }

    private mutating func insert(_ added: [SystemMessage]) {
        guard !added.isEmpty else { return }
        let last = max(0, messages.count - 1)
        messages += added.sorted { $0.position < $1.position }
        // Usually what is new comes last.
        let news = messages[last...]
        if !zip(news, news.dropFirst()).allSatisfy({ $0.position < $1.position }) {
            messages.sort { $0.position < $1.position }
        }
    }
}

// MARK: - Telling

extension Timeline {
    /// The operations that somebody wrote in one go, effective or not.
    private func parts(ofActFrom beginning: OperationID, in lane: DecidedLane) -> [Group.Entry] {
        let places = acts.parts(from: beginning) ?? lane.resolver.index(of: beginning).map { [$0] } ?? []
        return places.map { lane.history[$0] }
    }

    /// What is told of the operations that somebody wrote in one go.
    private func messages(of act: [Group.Entry], from beginning: OperationID) -> [SystemMessage] {
        let parts = act.filter { $0.voidReason == nil }.sorted { $0.position < $1.position }
        guard let first = parts.first else { return [] }
        switch first.body {
        case .create: return creation(parts)
        case .add:
            let newcomers = newcomers(of: parts)
            return newcomers.isEmpty ? [] : [SystemMessage(first, of: beginning, .added(newcomers))]
        case .invite, .join, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .device, .merge, .leave,
            .stepdown, .revoke, nil:
            return messages(of: first)
        }
    }

    /// The creation with what its founder wrote at once is one event; whom they added is also told that.
    private func creation(_ parts: [Group.Entry]) -> [SystemMessage] {
        guard let creation = parts.first else { return [] }
        let (newcomers, id) = (newcomers(of: parts), creation.operation.id)
        var name: String?
        var messages: [SystemMessage] = []
        for part in parts {
            if case .set(_, Group.nameField, let value) = part.body, outcome(of: part) == .changed {
                name = value
            } else if case .set = part.body {
                messages += self.messages(of: part).map { $0.following(id) }
            }
        }
        messages.append(SystemMessage(creation, of: id, .created(name: name, with: newcomers)))
        if let addition = parts.first(where: { $0.body?.type == .add }), !newcomers.isEmpty {
            messages.append(SystemMessage(addition, of: id, .welcomed(newcomers)))
        }
        return messages
    }

    /// Whom additions let in who were not in before.
    private func newcomers(of parts: [Group.Entry]) -> [UserID] {
        var seen: Set<UserID> = []
        return parts.flatMap { part in
            guard case .add(_, let targets) = part.body else { return [UserID]() }
            return targets.map(\.user).filter { user in
                stays(of: user).begins(at: part.position) && seen.insert(user).inserted
            }
        }
    }

    private func outcome(of entry: Group.Entry) -> RegisterWrites.Outcome? {
        guard case .set(_, let field, _) = entry.body else { return nil }
        return registers[RegisterName(field)]?.outcome(at: entry.position)
    }

    /// What is told of an effective operation by itself.
    private func messages(of entry: Group.Entry) -> [SystemMessage] {
        let (id, author) = (entry.operation.id, entry.operation.author.user)
        func told(_ action: SystemMessage.Action) -> [SystemMessage] { [SystemMessage(entry, of: id, action)] }
        switch entry.body {
        case .join: return stays(of: author).begins(at: entry.position) ? told(.joined) : []
        case .remove(_, let target, _): return stays(of: target).ends(at: entry.position) ? told(.removed(target)) : []
        case .leave: return stays(of: author).ends(at: entry.position) ? told(.left) : []
        case .promote(_, let target, let role): return told(.promoted(target, to: role.name))
        case .demote(_, let target, let role): return told(.demoted(target, to: role.name))
        case .set(_, let field, let value):
            guard let outcome = outcome(of: entry), outcome != .repeated else { return [] }
            let message = SystemMessage(entry, of: id, .init(writing: value, into: field))
            return [outcome == .overruled ? message.overruled : message]
        case .ratify(_, _, let bans):
            // Usually they are out already.
            return Set(bans.map(\.user)).filter { stays(of: $0).ends(at: entry.position) }.map { user in
                SystemMessage(entry, of: id, .removed(user), named: "moot/1/banned", about: user)
            }
        case .create, .add, .invite, .decline, .cancel, .device, .merge, .stepdown, .revoke, nil: return []
        }
    }
}
