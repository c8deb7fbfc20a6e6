import Conversations
import OperationLog

extension NaiveLog {
    /// What a membership operation says about who may write.
    private struct Introduction {
        /// The devices that a record in it certifies.
        var devices: Set<DeviceID> = []
        /// The users to whom it names a grant or an invite, whether it is effective or not.
        var users: Set<UserID> = []
    }

    /// What an author and the past he names have in common with many other operations.
    private struct Standing: Hashable {
        let device: DeviceID
        let heads: [OperationID]
    }

    /// The authors that their own operations' pasts do not know, and membership operations that say nothing that can
    /// be read.
    func flawsOfAuthors() -> [String] {
        var findings: [String] = []
        var introductions: [OperationID: Introduction] = [:]
        for operation in operations(in: .membership) {
            var own = Introduction()
            do throws(MalformedBytes) {
                own = try introduction(by: operation)
            } catch {
                findings.append("\(name(operation)) has a malformed body: \(error)")
            }
            introductions[operation.id] = own
            let past = (membershipPasts[operation.id] ?? []).subtracting([operation.id]).compactMap {
                introductions[$0]
            }
            if !own.devices.contains(operation.author.id),
                !past.contains(where: { $0.devices.contains(operation.author.id) })
            {
                findings.append("\(name(operation)) is of a device that its past does not certify")
            }
            // The creation has no past, and gives its author his first grant.
            if operation.header.type != .create, !isKnown(operation.author.user, in: past) {
                findings.append("\(name(operation)) is of a user whom its past does not know")
            }
        }
        var judged: Set<Standing> = []
        for operation in operations(in: .content) {
            let standing = Standing(device: operation.author.id, heads: operation.header.membershipHeads)
            guard judged.insert(standing).inserted else { continue }
            let past = membershipPast(of: standing.heads).compactMap { introductions[$0] }
            if !past.contains(where: { $0.devices.contains(standing.device) }) {
                findings.append("\(name(operation)) is of a device that its membership past does not certify")
            }
            if !isKnown(operation.author.user, in: past) {
                findings.append("\(name(operation)) is of a user whom its membership past does not know")
            }
        }
        return findings + flawsOfTypes()
    }

    private func isKnown(_ user: UserID, in past: [Introduction]) -> Bool {
        switch root {
        case .group: past.contains { $0.users.contains(user) }
        case .direct(let first, let second): user == first || user == second
        }
    }

    /// The membership lane of a direct conversation holds `device`, `merge` and what this version does not know.
    private func flawsOfTypes() -> [String] {
        guard case .direct = root else { return [] }
        return operations(in: .membership).filter { operation in
            switch operation.header.type {
            case .device, .merge: false
            default: operation.header.type.rawValue <= OperationType.stepdown.rawValue
            }
        }
        .map { "\(name($0)) has no place in a direct conversation" }
    }

    private func introduction(by operation: Operation) throws(MalformedBytes) -> Introduction {
        guard let bytes = operation.body else { throw .truncated }
        guard let body = try MembershipBody.decode(bytes, type: operation.header.type) else { return Introduction() }
        let author = operation.author.user
        var people: [Credentials] = []
        var users: Set<UserID> = []
        switch body {
        case .create(_, let own), .join(_, let own):
            people = [own]
            users = [author]
        case .device(let own, let others): people = [own] + others
        case .add(_, let targets):
            people = targets
            users = Set(targets.map(\.user))
        case .invite(_, let target):
            people = [target]
            users = [target.user]
        case .promote(_, let target, _), .demote(_, let target, _): users = [target]
        case .ratify(_, let keep, _): users = Set(keep.map(\.user))
        case .decline, .cancel, .remove, .set, .merge, .leave, .stepdown: break
        }
        switch body {
        case .create, .join, .device:
            guard people.first?.user == author else { throw .invalid(field: "identity record") }
        case .add, .invite, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge, .leave, .stepdown:
            break
        }
        return Introduction(devices: Set(people.flatMap { $0.identity.devices.map(\.device.id) }), users: users)
    }
}
