import Conversations
import LocalAPIModel
import Membership
import NodeCore
import OperationLog
import Time

extension Node {
    /// The membership lane of a group with every verdict, in causal order.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func membershipHistory(of conversation: String) throws(NodeError) -> [MembershipEntryDescription] {
        describe(try replica(named: conversation).group, [:]) { _, _ in true }
    }

    /// What is void in a group, or came to less than its author can have meant, and why; with a person everything by or
    /// about them, and what became of each grant they were given.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `unknown_person`.
    public func membershipReasons(
        of conversation: String, person: String? = nil
    ) throws(NodeError) -> [MembershipEntryDescription] {
        let replica = try replica(named: conversation)
        let user = try person.map { text throws(NodeError) in try self.person(named: text) }
        return describe(replica.group, replica.group.grantOutcomes) { entry, accounts in
            guard let user else { return entry.voidReason != nil || accounts.contains(where: \.isCutShort) }
            return entry.operation.author.user == user || entry.body?.targets.contains(user) == true
        }
    }

    /// What is told of a decision of this user that was overruled.
    func describe(
        _ overruling: Group.Overruling, in group: Group
    ) -> (text: String, description: OverrulingDescription) {
        let (text, description) = words(for: overruling, in: group)
        return (SanitizedText.line(text), description)
    }

    private func words(
        for overruling: Group.Overruling, in group: Group
    ) -> (text: String, description: OverrulingDescription) {
        let (entry, id) = (overruling.decision, overruling.decision.operation.id.description)
        switch overruling.outcome {
        case .outwritten(let field, let other):
            let author = other.operation.author.user
            // What names a file says nothing to people.
            guard field != Group.photoField else {
                return (
                    "\(contacts[author].name) changed the photo at the same time; yours is not shown",
                    OverrulingDescription(operation: id, field: field, by: author.description)
                )
            }
            let (yours, theirs) = (entry.body?.value ?? "", other.body?.value ?? "")
            return (
                "\(contacts[author].name) changed the \(field) to \"\(theirs)\" at the same time; yours was \"\(yours)\"",
                OverrulingDescription(
                    operation: id, field: field, yours: yours, theirs: theirs, by: author.description)
            )
        case .void:
            let decider = group.history.first { $0.operation.id == entry.voidReason?.decidedBy }
            return (
                sentence(entry, [], actions(of: [entry] + [decider].compactMap(\.self))),
                OverrulingDescription(operation: id, by: decider?.operation.author.user.description)
            )
        }
    }

    /// Why content does not count, with who did what.
    func describe(_ cutOff: CutOff<OperationID>, in group: Group) -> MessageDescription.Uncounted {
        let entry = cutOff.decidedBy.flatMap { group.entry($0) }
        let decider = entry?.voidReason?.decidedBy.flatMap { group.entry($0) }
        let actions = actions(of: [entry, decider].compactMap(\.self))
        let act = entry.map { entry in
            ": " + action(entry) + (entry.voidReason.map { " (\(sentence($0, of: entry, actions)))" } ?? "")
        }
        return MessageDescription.Uncounted(
            rule: cutOff.rule.rawValue, reason: SanitizedText.line(cutOff.rule.sentence + (act ?? "")),
            decidedBy: cutOff.decidedBy?.description, voidRule: entry?.voidReason?.rule.rawValue)
    }

    private func actions(of entries: [Group.Entry]) -> [OperationID: String] {
        Dictionary(entries.map { ($0.operation.id, action($0)) }) { first, _ in first }
    }

    private func describe(
        _ group: Group, _ allAccounts: [OperationID: [Group.MemberGrant]],
        where isWanted: (Group.Entry, [Group.MemberGrant]) -> Bool
    ) -> [MembershipEntryDescription] {
        let actions = actions(of: group.history)
        return group.history.compactMap { entry in
            let accounts = allAccounts[entry.operation.id] ?? []
            guard isWanted(entry, accounts) else { return nil }
            let author = entry.operation.author.user
            return MembershipEntryDescription(
                id: entry.operation.id.description, author: author.description, authorName: contacts[author].name,
                type: entry.body?.word ?? "unknown", time: Clock.text(entry.operation.header.time.milliseconds),
                parents: entry.operation.header.parents.map(\.description), effective: entry.voidReason == nil,
                sentence: SanitizedText.line(sentence(entry, accounts, actions)),
                rule: entry.voidReason?.rule.rawValue, decidedBy: entry.voidReason?.decidedBy?.description)
        }
    }

    private func sentence(
        _ entry: Group.Entry, _ accounts: [Group.MemberGrant], _ actions: [OperationID: String]
    ) -> String {
        let action = actions[entry.operation.id] ?? ""
        guard let voidReason = entry.voidReason else {
            return (["\(action)."] + accounts.compactMap { sentence($0, actions) }).joined(separator: " ")
        }
        return "\(action). Void: \(sentence(voidReason, of: entry, actions))."
    }

    /// Why an operation is void, with what decided.
    private func sentence(
        _ voidReason: VoidReason<OperationID>, of entry: Group.Entry, _ actions: [OperationID: String]
    ) -> String {
        let decider = voidReason.decidedBy.flatMap { actions[$0] }.map { ", by this: \($0)" } ?? ""
        let person = badEntry(of: entry).map { " (\(contacts[$0].name))" } ?? ""
        return "\(voidReason.rule.sentence)\(person)\(decider)"
    }

    /// The person whom a ratification may not keep or ban.
    private func badEntry(of entry: Group.Entry) -> UserID? {
        guard case .ratify(_, let keep, let bans)? = entry.body, let voidReason = entry.voidReason,
            let place = voidReason.entry.map({ $0 - 1 })
        else { return nil }
        let people =
            voidReason.rule == .keepsAStranger || voidReason.rule == .keepsTooHigh ? keep.map(\.user) : bans.map(\.user)
        return people.indices.contains(place) ? people[place] : nil
    }

    /// What became of a grant, in words; nil if it is whole and others count.
    private func sentence(_ account: Group.MemberGrant, _ actions: [OperationID: String]) -> String? {
        let (name, grant) = (contacts[account.user].name, account.grant)
        let counts = grant.counts ? " \(name) is a member since then." : ""
        guard !grant.limits.isEmpty else { return grant.counts ? "\(name) is a member since then." : nil }
        let limits = grant.limits.compactMap { actions[$0] }.joined(separator: "; ")
        guard let remaining = grant.remainingRole else {
            return "Nothing is left of \(name)'s \(grant.role.name), by this: \(limits)."
        }
        return "Of \(name)'s \(grant.role.name) only \(remaining.name) is left, by this: \(limits).\(counts)"
    }

    /// What somebody did, in words.
    private func action(_ entry: Group.Entry) -> String {
        let author = contacts[entry.operation.author.user].name
        guard let body = entry.body else { return "\(author) did what only a newer version understands" }
        let people = body.targets.map { contacts[$0].name }.joined(separator: ", ")
        return switch body {
        case .create: "\(author) created the group"
        case .add: "\(author) added \(people)"
        case .invite(_, .person): "\(author) invited \(people)"
        case .invite(_, .holder): "\(author) made a code by which somebody can join"
        case .join(_, _, nil): "\(author) accepted an invite"
        case .join(_, _, _?): "\(author) joined by a code"
        case .decline: "\(author) declined an invite"
        case .cancel: "\(author) took back an invite"
        case .remove: "\(author) removed \(people)"
        case .promote(_, _, let role), .demote(_, _, let role): "\(author) made \(people) \(role.name)"
        case .set(_, Group.photoField, let value):
            "\(author) \(value.isEmpty ? "removed" : "changed") the photo"
        case .set(_, let field, let value): "\(author) set the \(field) to \"\(value)\""
        case .ratify(_, _, let bans):
            "\(author) ratified who is in the group"
                + (bans.isEmpty
                    ? "" : ", and that these are not: " + bans.map { contacts[$0.user].name }.joined(separator: ", "))
        case .device: "\(author) introduced a device"
        case .merge: "\(author) joined what had been written side by side"
        case .leave: "\(author) left"
        case .stepdown: "\(author) stepped down"
        case .revoke(let revocation): "A device of \(contacts[revocation.user].name) was revoked"
        }
    }
}
