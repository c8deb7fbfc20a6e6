import Conversations
import NodeCore
import OperationLog
import Storage

extension World {
    /// The hosts that are devices of a user by now.
    func devices(of user: UserID) -> [Host] { hosts.filter { $0.user == user && $0.isLinked } }

    /// The pairs of honest hosts that are devices of one user.
    var pairsOfDevices: [(Host, Host)] {
        let honest = hosts.filter { !$0.isLiar && $0.isLinked }
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
        for conversation in world.conversations {
            for (host, other) in world.pairsOfDevices { checkReading(of: host, like: other, in: conversation, world) }
            let members = world.hosts.filter { $0.core?.replicas[conversation]?.group.isMember($0.user) == true }
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
