import Conversations
import NodeCore
import OperationLog
import Storage

extension World {
    /// The hosts that are devices of a user by now.
    func devices(of user: UserID) -> [Host] { hosts.filter { $0.user == user && $0.isLinked } }

    /// Whether somebody honest knows that a host was taken out of its user's devices.
    func isTakenOut(_ host: Host) -> Bool {
        hosts.contains { !$0.isLiar && $0.disk.image.tombstones[host.user]?[host.device] != nil }
    }

    /// In what members disagree about the devices of an honest member; nil if in nothing.
    ///
    /// They hold one record of each. What is out and was ever a device in the lane the lane says; of others that are
    /// out nobody need know.
    func recordsDisagreeing(on conversation: ConversationID, among members: [Host]) -> String? {
        guard let first = members.first, let group = first.core?.replicas[conversation]?.group else { return nil }
        for user in Set(members.map(\.user)).sorted() where !isFaked(user) {
            for host in members {
                guard let known = host.core?.contacts[user] else { continue }
                if let lacking = group.lacking(known.tombstones.all).first {
                    let device = hosts.first { $0.device == lacking.device }?.name ?? "a stray device"
                    return "\(host.name) knows that \(device) was taken out, and the lane does not"
                }
                if known.identity != first.core?.contacts[user].identity {
                    return "\(host.name) and \(first.name) hold different records of one user"
                }
            }
        }
        return nil
    }

    /// Whether a liar may sign what a user's root signs.
    private func isFaked(_ user: UserID) -> Bool {
        hosts.contains { $0.user == user && $0.isLiar && $0.keys.root != nil }
    }

    /// The pairs of honest hosts that are devices of one user.
    var pairsOfDevices: [(Host, Host)] {
        let honest = hosts.filter { !$0.isLiar && $0.isLinked && !isTakenOut($0) }
        return honest.flatMap { one in
            honest.filter { $0.user == one.user && $0.index != one.index }.map { (one, $0) }
        }
    }

    /// What a member's device lacks that another one of theirs has; nil if nothing.
    func devicesDisagreeing(on conversation: ConversationID, among members: [Host]) -> String? {
        let isMember = Set(members.map(\.index))
        for (host, other) in pairsOfDevices where isMember.contains(host.index) && isMember.contains(other.index) {
            guard let own = host.core?.replicas[conversation], let others = other.core?.replicas[conversation] else {
                continue
            }
            let isHeld = own.epochs.elsewhere.contains { id in
                if case .held? = others.epochs.all[id]?.key { true } else { false }
            }
            if isHeld { return "\(host.name) is without a key that \(other.name) has" }
            if host.readMarks(in: conversation) != other.readMarks(in: conversation) {
                return "\(host.name) and \(other.name) do not show the same as read"
            }
        }
        return nil
    }
}

extension Host {
    /// How far the disk says that the user has read.
    fileprivate func readMarks(in conversation: ConversationID) -> [DeviceID: UInt64] {
        disk.image.readMarks(in: conversation).filter { $0.value > 0 }
    }
}

extension InvariantChecker {
    /// Holds what a user's devices show against each other.
    mutating func checkDevices(of world: World) {
        let difference = world.privateStateDisagreeing
        expect(difference == nil, .devicesAgree, world, difference ?? "")
        for conversation in world.conversations {
            for (host, other) in world.pairsOfDevices { checkReading(of: host, like: other, in: conversation, world) }
            let members = world.hosts.filter {
                !$0.isLiar && !world.isTakenOut($0)
                    && $0.core?.replicas[conversation]?.group.isMember($0.user) == true
            }
            let records = world.recordsDisagreeing(on: conversation, among: members)
            expect(records == nil, .oneRecord, world, records ?? "")
            for (host, other) in world.pairsOfDevices
            where members.contains(where: { $0 === host }) && members.contains(where: { $0 === other }) {
                let difference = world.devicesDisagreeing(on: conversation, among: [host, other])
                expect(difference == nil, .devicesAgree, world, difference ?? "")
            }
        }
    }

    /// What one device reads, the other one does too, unless it erased it.
    private mutating func checkReading(
        of host: Host, like other: Host, in conversation: ConversationID, _ world: World
    ) {
        guard var core = host.core, var others = other.core, !host.wasPutBack, !other.wasPutBack,
            core.replicas[conversation]?.group.isMember(host.user) == true
        else { return }
        for operation in other.disk.image.operations(of: conversation, lane: .content)
        where operation.header.type == .message || operation.header.type.isAnnotation {
            guard case .open = others.read(operation, in: conversation),
                let stored = try? host.disk.operation(operation.id, of: conversation)
            else { continue }
            let reading = core.read(stored, in: conversation)
            switch reading {
            case .open, .erased: expect(true, .devicesRead, world, "")
            // Who has not accepted a conversation there has no room for all of it.
            case .declined: continue
            case .closed, .wanted, .unreadable:
                report(.devicesRead, world, "\(host.name) cannot read what \(other.name) can: \(reading)")
            }
        }
    }
}
