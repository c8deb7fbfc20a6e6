import Conversations
import Membership
import NodeCore
import OperationLog
import Time

extension World {
    /// Does what a step of the plan says.
    func perform(_ step: Step) {
        let host = hosts[step.host % hosts.count]
        if step.kind == .link {
            link(host, step)
        } else if step.kind.isCommand {
            command(step, on: host)
        } else if step.kind.isLie {
            lie(step, by: host)
        } else {
            fail(step, at: host)
        }
    }

    /// The conversations a host knows, in the order they were made.
    func conversations(of host: Host) -> [ConversationID] {
        conversations.filter { host.core?.replicas[$0] != nil }
    }

    private func conversation(of step: Step, on host: Host) -> ConversationID? {
        let known = conversations(of: host)
        return known.isEmpty ? nil : known[step.conversation % known.count]
    }

    // MARK: - What people do

    private func command(_ step: Step, on host: Host) {
        guard host.core != nil, host.frozenUntil <= now else { return }
        let before = checker.expectation(ofCommandBy: host)
        let result = change(host) { core, moment in
            Result { () throws(NodeError) in try self.run(step, on: host, &core, moment) }
        }
        switch result {
        case .success, nil: break
        case .failure(let error)?:
            tally.refusals[error.code.rawValue, default: 0] += 1
            checker.refused(step, error, before, by: host, in: self)
        }
    }

    /// Runs a command; false if there was nothing it could mean.
    private func run(
        _ step: Step, on host: Host, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) -> Bool {
        let other = hosts[step.other % hosts.count].user
        switch step.kind {
        case .create:
            var known: [UserID] = []
            for other in hosts where other.user != core.me && other.index <= max(step.value, 2) {
                if core.contacts[other.user].identity != nil, !known.contains(other.user) { known.append(other.user) }
            }
            let name = step.other % 3 == 0 ? nil : "Group \(step.other)"
            let id = try core.createGroup(name: name, members: known, at: moment)
            if !conversations.contains(id) { conversations.append(id) }
            return true
        case .direct:
            guard core.contacts[other].identity != nil || other == core.me else { return false }
            let id = try core.openDirect(with: other, at: moment)
            // Nobody else would hear of it before something is written.
            try core.publishKey(in: id)
            if !conversations.contains(id) { conversations.append(id) }
            return true
        case .profile:
            try core.setProfile(name: "\(host.name) \(step.value)", at: moment)
            return true
        case .redeem: return try redeem(step, on: host, &core, moment)
        case .retire, .revoke: return try takeOut(step, &core, moment)
        case .keep: return try keep(step, about: other, &core, moment)
        case .send, .read, .annotate, .add, .remove, .promote, .demote, .rename, .announce, .letAdd, .invite, .answer,
            .offer, .leave, .type, .attach:
            // The core is not in the host while it is being changed.
            let known = conversations.compactMap { core.replicas[$0] }
            let own = known.filter { $0.group.isMember(core.me) }
            // People mostly do something where they are members, but for what only others can do.
            let invited = known.filter { !$0.group.openInvites(of: core.me).isEmpty }
            let usual = step.kind == .answer ? invited : own
            let choice = usual.isEmpty || step.conversation % 16 == 0 ? known : usual
            guard !choice.isEmpty else { return false }
            return try run(step, in: choice[step.conversation % choice.count].id, other, &core, moment)
        case .isolate, .cutOneWay, .reset, .stall, .kill, .loseBeforeWriting, .loseBeforeSyncing, .loseAfterSyncing,
            .freeze, .setClock, .fillDisk, .breakDisk, .backUp, .restore, .fork, .forge, .overreach, .corrupt,
            .withhold, .flood, .impersonate, .hide, .misseal, .presume, .falsifyReceipts, .falsifyTyping, .bloat,
            .bare, .branch, .reissue, .usurp, .linger, .falsifyKeys, .dribble, .pester, .intrude, .silence, .link,
            .steal:
            return false
        }
    }

    private func run(
        _ step: Step, in conversation: ConversationID, _ other: UserID, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) -> Bool {
        switch step.kind {
        case .send:
            let texts = (0..<max(1, step.value)).map { "\(step.at).\($0) " + String(repeating: "x", count: step.other) }
            let sent = try core.send(texts, to: conversation, at: moment)
            // A host that is alone now and then takes back what it said last, if its disk and what others claim to have
            // received let it.
            if core.connectedDevices.isEmpty, step.at % 3 == 0, let last = sent.last?.operation.id {
                try? cancel(last, in: conversation, by: hosts[step.host % hosts.count], &core, moment)
            }
        case .read: try read(step, in: conversation, &core, moment)
        case .type: try core.type(in: conversation, at: moment)
        case .attach:
            try attach(step, to: conversation, by: hosts[step.host % hosts.count], &core, moment)
        case .annotate:
            return try annotate(step, in: conversation, &core, moment)
        case .add:
            try core.add([other], to: conversation, at: moment)
        case .remove:
            try core.remove(other, from: conversation, archive: step.value % 2 == 0, at: moment)
        case .promote:
            try core.setRole(
                of: other, in: conversation, to: step.value % 2 == 0 ? .admin : .moderator, at: moment)
        case .demote:
            try core.setRole(
                of: other, in: conversation, to: step.value % 2 == 0 ? .member : .moderator, at: moment)
        case .rename:
            try core.set(
                name: "Name \(step.value)", description: step.value % 4 == 0 ? "About \(step.other)" : nil,
                of: conversation, at: moment)
        case .announce:
            try core.set(
                name: nil, description: nil,
                settings: [Group.announcementField: step.value % 4 == 0 ? "on" : "off"], of: conversation, at: moment)
        case .letAdd:
            try core.set(
                name: nil, description: nil,
                settings: [AddSetting.field: step.value % 4 == 0 ? "moderators" : AddSetting.everyone],
                of: conversation, at: moment)
        case .invite:
            try core.invite(other, to: conversation, at: moment)
        case .answer:
            if step.value % 4 == 0 {
                try core.declineInvite(to: conversation, at: moment)
            } else {
                try core.acceptInvite(to: conversation, at: moment)
            }
        case .offer:
            try offer(step, in: conversation, by: hosts[step.host % hosts.count], &core, moment)
        case .leave:
            try core.leave(
                conversation, successor: step.value % 3 == 0 ? other : nil, force: step.value % 3 == 1,
                archive: step.value % 2 == 0, at: moment)
        case .create, .direct, .profile, .redeem, .isolate, .cutOneWay, .reset, .stall, .kill, .loseBeforeWriting,
            .loseBeforeSyncing, .loseAfterSyncing, .freeze, .setClock, .fillDisk, .breakDisk, .backUp, .restore, .fork,
            .forge, .overreach, .corrupt, .withhold, .flood, .impersonate, .hide, .misseal, .presume, .falsifyReceipts,
            .falsifyTyping, .bloat, .bare, .branch, .reissue, .usurp, .linger, .falsifyKeys, .dribble, .pester,
            .intrude, .silence, .link, .retire, .revoke, .keep, .steal:
            return false
        }
        return true
    }

    /// Takes a device out; false for one of somebody else.
    private func takeOut(_ step: Step, _ core: inout NodeCore, _ moment: Moment) throws(NodeError) -> Bool {
        let host = hosts[step.other % hosts.count]
        guard host.user == core.me, host.isLinked else { return false }
        guard step.kind == .revoke else {
            try core.retire(host.device, at: moment)
            return true
        }
        // Some notice it at once.
        let since = moment.wall.milliseconds - Int64(step.value) * 100
        try core.revoke(
            host.device, stolenAt: step.value % 3 == 0 ? nil : Timestamp(clamping: since), isForced: true, at: moment)
        return true
    }

    /// Says something about one of the last messages a host holds; false if there is none.
    private func annotate(
        _ step: Step, in conversation: ConversationID, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) -> Bool {
        let content = hosts[step.host % hosts.count].disk.image.operations(of: conversation, lane: .content)
        let choice = step.value % 16
        // Mostly about the same few, so that people who do not know of each other say things about one.
        let messages = content.filter { operation in
            operation.header.type == .message && (choice > 3 || operation.author.user == core.me)
        }
        .suffix(3)
        guard !messages.isEmpty else { return false }
        let message = messages[messages.startIndex + step.other % messages.count].id
        switch choice {
        case 1...3: try core.edit(message, of: conversation, to: "\(step.at) edited", at: moment)
        case 0: try cancel(message, in: conversation, by: hosts[step.host % hosts.count], &core, moment)
        case 4: try core.delete(message, of: conversation, at: moment)
        case 5...6: try core.pin(message, of: conversation, isPinned: step.value < 48, at: moment)
        default:
            try core.react(
                to: message, of: conversation, with: choice % 2 == 0 ? "👍" : "🎉", isPresent: step.value < 48, at: moment
            )
        }
        return true
    }

    /// Takes a message back if nobody has it, and remembers that nobody may ever get it; or puts one away that has
    /// failed.
    private func cancel(
        _ message: OperationID, in conversation: ConversationID, by host: Host, _ core: inout NodeCore,
        _ moment: Moment
    ) throws(NodeError) {
        let written = { host.disk.image.operations(of: conversation, lane: .content).count }
        let about = (try? host.disk.annotations(of: [message], in: conversation, fromEachEnd: nil)[message]) ?? []
        // One that was taken back may fail later, and is put away with what says that it was.
        let parts = [message] + about.map(\.operation.id)
        let here = { parts.count { (try? host.disk.operation($0, of: conversation))?.body != nil } }
        let before = (here: here(), written: written())
        try core.cancel(message, of: conversation, at: moment)
        guard here() < before.here else { return }
        if written() == before.written {
            // No operation says so: only this disk knows. Members who had the message keep it.
            host.dismissed.formUnion(parts)
        } else if host.life == 1, !host.isLiar {
            host.canceled.insert(message)
        }
    }

    /// Reads everything that is there, or now and then stops or begins to show what is read.
    private func read(
        _ step: Step, in conversation: ConversationID, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) {
        let host = hosts[step.host % hosts.count]
        switch step.value % 16 {
        case 0:
            try core.setSharesReads(!core.sharesReads, at: moment)
        case 1, 2:
            var change = ConversationPreferencesUpdate()
            change.sharesReads = !core.preferences(of: conversation).sharesReads
            try core.change(change, of: conversation, at: moment)
        default:
            let tips = core.replicas[conversation]?.log.contentFrontier.tips ?? [:]
            let here = tips.compactMapValues { $0.last?.sequenceNumber }
            host.mayHaveRead[conversation, default: [:]].merge(here) { max($0, $1) }
            try core.markRead(conversation, at: moment)
            host.read[conversation, default: [:]].merge(here) { max($0, $1) }
        }
    }

    // MARK: - What breaks

    private func fail(_ step: Step, at host: Host) {
        // Of a host that is nobody yet nothing can be lost.
        guard host.isLinked || step.kind.isOnNetwork else { return }
        tally.count(step.kind.rawValue)
        let until = now + step.value * 1_000
        let other = hosts[step.other % hosts.count]
        host.downtime = step.value * 1_000
        switch step.kind {
        case .isolate:
            // The hosts are on one side or the other as the bits of a number are.
            for one in hosts {
                for two in hosts
                where (step.conversation >> (one.index % 6)) & 1 != (step.conversation >> (two.index % 6)) & 1 {
                    network.block(from: one.index, to: two.index, until: until)
                }
            }
        case .cutOneWay:
            if other.index != host.index { network.block(from: host.index, to: other.index, until: until) }
        case .reset:
            let sides = host.ends.values.sorted { $0.wire < $1.wire }
            guard !sides.isEmpty else { return }
            let side = sides[step.other % sides.count]
            // Mid-frame: the receiver has a part of what was sent.
            transmit(.reset, on: side)
            forceClose(side, reason: "connection_lost")
        case .stall:
            let sides = host.ends.values.sorted { $0.wire < $1.wire }
            guard !sides.isEmpty else { return }
            let side = sides[step.other % sides.count]
            wires[side.wire]?.pipes[side.end].stalledUntil = until
        case .kill:
            host.remainingEffects = step.other % 8
        case .loseBeforeWriting: host.disk.cutPoint = .beforeWriting
        case .loseBeforeSyncing: host.disk.cutPoint = .beforeSyncing
        case .loseAfterSyncing: host.disk.cutPoint = .afterSyncing
        case .freeze: host.frozenUntil = max(host.frozenUntil, until)
        case .setClock: host.clockShift = Self.shift(of: step)
        case .fillDisk, .breakDisk:
            host.disk.condition = step.kind == .fillDisk ? .full : .broken
            host.troubledUntil = until
            events.add(.repair(host: host.index), at: until)
        case .backUp:
            host.backup = (host.disk.image, host.acknowledged)
        case .restore:
            guard let backup = host.backup else { return }
            losePower(host)
            host.disk.restore(backup.image)
            host.acknowledged = backup.acknowledged
            host.wasPutBack = true
        case .create, .direct, .send, .read, .annotate, .add, .remove, .promote, .demote, .rename, .announce, .letAdd,
            .invite, .answer, .offer, .redeem, .leave, .profile, .type, .attach, .link, .retire,
            .revoke, .keep, .steal, .fork, .forge, .overreach, .corrupt, .withhold, .flood, .impersonate, .hide,
            .misseal, .presume,
            .falsifyReceipts,
            .falsifyTyping, .bloat, .bare, .branch, .reissue, .usurp, .linger, .falsifyKeys, .dribble, .pester,
            .intrude, .silence:
            break
        }
    }

    /// How far a step sets a clock wrong, in milliseconds.
    static func shift(of step: Step) -> Int64 { shifts[step.other % shifts.count] }

    /// Up to ten years either way.
    private static let shifts: [Int64] = [
        0, -3_600_000, 3_600_000, -315_360_000_000, 315_360_000_000, 500, -500, 86_400_000,
    ]
}
