import Conversations
import Cryptography
import OperationLog

extension NaiveLog {
    /// What a membership operation says about who may write.
    private struct Introduction {
        /// The devices that a record in it certifies.
        var devices: Set<DeviceID> = []
        /// The tombstones that it carries.
        var tombstones: [Tombstone] = []
        /// The users to whom it names a grant or an invite, whether it is effective or not.
        var users: Set<UserID> = []
        /// The key whose holder it invites.
        var key: VerifyingKey?
        /// The invite that it accepts, and the proof it shows.
        var answer: (invite: OperationID, proof: InviteProof?)?
    }

    /// What an author and the past they name have in common with many other operations.
    private struct AuthorAtHeads: Hashable {
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
            let seen = (membershipPasts[operation.id] ?? []).subtracting([operation.id])
            let past = seen.compactMap { introductions[$0] }
            if !own.devices.contains(operation.author.id),
                !past.contains(where: { $0.devices.contains(operation.author.id) })
            {
                findings.append("\(name(operation)) is of a device that its past does not certify")
            }
            if isTakenOut(operation.author, in: past) {
                findings.append("\(name(operation)) is of a device that its past takes out")
            }
            let key = own.answer.flatMap { seen.contains($0.invite) ? introductions[$0.invite]?.key : nil }
            if let answer = own.answer, key != nil || answer.proof != nil {
                if !isProven(answer, by: operation.author.user, under: key) {
                    findings.append("\(name(operation)) joins by a code without its proof")
                }
                continue
            }
            // The creation has no past, and gives its author their first grant.
            if operation.header.type != .create, !isKnown(operation.author.user, in: past) {
                findings.append("\(name(operation)) is of a user whom its past does not know")
            }
        }
        var judged: Set<AuthorAtHeads> = []
        var members: [[OperationID]: Set<UserID>?] = [:]
        for operation in operations(in: .content) {
            let standing = AuthorAtHeads(device: operation.author.id, heads: operation.header.membershipHeads)
            guard judged.insert(standing).inserted else { continue }
            let past = membershipPast(of: standing.heads).compactMap { introductions[$0] }
            if !past.contains(where: { $0.devices.contains(standing.device) }) {
                findings.append("\(name(operation)) is of a device that its membership past does not certify")
            }
            if isTakenOut(operation.author, in: past) {
                findings.append("\(name(operation)) is of a device that its membership past takes out")
            }
            if !isKnown(operation.author.user, in: past) {
                findings.append("\(name(operation)) is of a user whom its membership past does not know")
                continue
            }
            if members[standing.heads] == nil { members[standing.heads] = self.members(after: standing.heads) }
            if case .some(.some(let present)) = members[standing.heads], !present.contains(operation.author.user) {
                findings.append("\(name(operation)) is of a user who is no member under the heads it names")
            }
        }
        return findings + flawsOfTypes()
    }

    /// The members as the naive resolver finds them; nil if the past is not one of a group.
    private func members(after heads: [OperationID]) -> Set<UserID>? {
        let past = membershipPast(of: heads)
        switch root {
        case .direct(let first, let second): return [first, second]
        case .group:
            let operations = operations(in: .membership).filter { past.contains($0.id) }
            guard let naive = try? operations.map({ try NaiveOperation($0) }),
                let judged = try? NaiveMembership(judging: naive, of: conversation)
            else { return nil }
            return Set(judged.members.map(\.person))
        }
    }

    private func isProven(
        _ answer: (invite: OperationID, proof: InviteProof?), by user: UserID, under key: VerifyingKey?
    ) -> Bool {
        guard let key, let proof = answer.proof else { return false }
        var signed = Array("moot/1/invite".utf8)
        for part in [conversation.digest, answer.invite.digest, user.digest] { signed += [0, 0, 0, 32] + part.bytes }
        return key.verifies(proof.signature, of: signed)
    }

    private func isTakenOut(_ device: Device, in past: [Introduction]) -> Bool {
        past.contains { $0.tombstones.contains { $0.user == device.user && $0.device == device.id } }
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
        var key: VerifyingKey?
        var answer: (invite: OperationID, proof: InviteProof?)?
        switch body {
        case .create(_, let own):
            people = [own]
            users = [author]
        case .join(let invite, let own, let proof):
            people = [own]
            users = [author]
            answer = (invite, proof)
        case .device(let own, let other, _): people = [own, other].compactMap(\.self)
        case .add(_, let targets):
            people = targets
            users = Set(targets.map(\.user))
        case .invite(_, .person(let target)):
            people = [target]
            users = [target.user]
        case .invite(_, .holder(let offered, _)): key = offered
        case .promote(_, let target, _), .demote(_, let target, _): users = [target]
        case .ratify(_, let keep, _): users = Set(keep.map(\.user))
        case .decline, .cancel, .remove, .set, .merge, .leave, .stepdown, .revoke: break
        }
        switch body {
        case .create, .join, .device:
            guard people.first?.user == author else { throw .invalid(field: "identity record") }
        case .revoke(let revocation):
            guard revocation.isSigned(for: conversation) else { throw .signature(field: "revocation") }
        case .add, .invite, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge, .leave, .stepdown:
            break
        }
        return Introduction(
            devices: Set(people.flatMap { $0.identity.devices.map(\.device.id) }), tombstones: body.tombstones,
            users: users, key: key,
            answer: answer)
    }
}
