import Cryptography
import Time

extension ConversationLog {
    /// Judges a verified batch over headers and takes it in if it is complete.
    ///
    /// The answer depends on the operations and their pasts only, never on the order of arrival: delivered in any
    /// order, the same operations end in the same log. Unless the answer is `.admitted`, the log is unchanged.
    ///
    /// - Parameter isMember: whether a user is a member after the past of some membership heads of this lane. The log
    ///   knows who was named, and not who may do what; this answer must follow from that past alone.
    /// - Throws: what the index throws; the log is then unchanged.
    /// - Complexity: for an operation that follows its chain's tip and depends on heads, O(log *h*) in the heads; else
    ///   a look-up per parent. `isMember` is asked once for each device and membership past of the batch.
    public mutating func admit(
        _ batch: Batch, using index: some OperationIndex, isMember: (UserID, [OperationID]) -> Bool
    ) throws -> Admission {
        var draft = self
        let admission =
            switch batch.lane {
            case .membership: draft.admit(membership: batch.operations)
            case .content: try draft.admit(content: batch.operations, using: index, isMember: isMember)
            }
        if case .admitted = admission { self = draft }
        return admission
    }

    private mutating func admit(membership operations: [Operation]) -> Admission {
        var admitted: [AdmittedOperation] = []
        var missing: Set<OperationID> = []
        var waiting: Set<OperationID> = []
        for operation in operations where !membership.contains(operation.id) {
            let parents = operation.header.parents
            let absent = parents.filter { !membership.contains($0) }
            guard absent.isEmpty else {
                missing.formUnion(absent.filter { !waiting.contains($0) })
                waiting.insert(operation.id)
                continue
            }
            let found: MembershipGraph.Introductions
            do throws(MalformedBytes) {
                found = try introductions(operation)
            } catch {
                return .inadmissible(operation.id, .malformedBody)
            }
            if let reason = inadmissibility(toMembership: operation, introducing: found) {
                return .inadmissible(operation.id, reason)
            }
            let provesFork =
                membershipFrontier.sequenceNumber(of: operation.author.id) >= operation.header.sequenceNumber
            insert(membership: operation, introducing: found)
            admitted.append(
                AdmittedOperation(
                    operation: operation, hybridTime: operation.header.time.milliseconds, provesFork: provesFork))
        }
        guard missing.isEmpty else { return .pending(missing: missing) }
        return admitted.isEmpty ? .duplicate : .admitted(admitted)
    }

    private func inadmissibility(
        toMembership operation: Operation, introducing found: MembershipGraph.Introductions
    ) -> Inadmissibility? {
        let header = operation.header
        if header.type == .create {
            guard root == .group else { return .misplacedType }
            guard found.devices.contains(operation.author.id) else { return .unknownAuthor }
            return ConversationID(createdBy: operation.id) == conversation ? nil : .foreignConversation
        }
        guard header.conversation == conversation else { return .foreignConversation }
        if let previous = header.previous {
            guard let before = membership[previous], before.author.id == operation.author.id,
                before.header.sequenceNumber + 1 == header.sequenceNumber
            else { return .brokenChain }
        }
        guard let past = membership.past(of: header.parents) else { return .brokenChain }
        let author = operation.author
        guard found.devices.contains(author.id) || membership.certifies(author.id, in: past) else {
            return .unknownAuthor
        }
        guard !membership.isTakenOut(author.id, of: author.user, in: past) else { return .deviceTakenOut }
        switch root {
        case .group:
            guard let answer = found.answer else {
                return membership.welcomes(author.user, in: past) ? nil : .unknownAuthor
            }
            return inadmissibility(to: answer, by: author.user, in: past)
        case .direct(let first, let second):
            guard author.user == first || author.user == second else { return .unknownAuthor }
            return [.device, .merge].contains(header.type) || header.type.rawValue >= OperationType.revoke.rawValue
                ? nil : .misplacedType
        }
    }

    /// A join by code has the proof, whoever its author is, and no other join has one.
    private func inadmissibility(
        to answer: MembershipGraph.Introductions.Answer, by user: UserID, in past: MembershipPast
    ) -> Inadmissibility? {
        switch (membership.offeredKey(of: answer.invite, in: past), answer.proof) {
        case (let key?, let proof?):
            proof.isValid(of: answer.invite, to: conversation, for: user, under: key) ? nil : .unprovenJoin
        case (nil, nil): membership.welcomes(user, in: past) ? nil : .unknownAuthor
        case (_?, nil), (nil, _?): .unprovenJoin
        }
    }

    private mutating func admit(
        content operations: [Operation], using index: some OperationIndex, isMember: (UserID, [OperationID]) -> Bool
    ) throws -> Admission {
        var admitted: [AdmittedOperation] = []
        admitted.reserveCapacity(operations.count)
        var missing: Set<OperationID> = []
        var staged: [OperationID: Placement] = [:]
        staged.reserveCapacity(operations.count)
        var judge = ContentValidator(root: root)
        var waiting: Set<OperationID> = []
        var placements: [Placement] = []
        for operation in operations {
            let header = operation.header
            let held = contentFrontier.sequenceNumber(of: header.device)
            // Beyond the tip nothing can be a duplicate, so the common case needs no look-up.
            if header.sequenceNumber <= held {
                if staged[operation.id] != nil || contentHead(operation.id) != nil { continue }
                if try index.placement(of: operation.id) != nil { continue }
            }
            var absent: Set<OperationID> = []
            if !judge.isAt(header.membershipHeads) {
                absent.formUnion(header.membershipHeads.filter { !membership.contains($0) })
            }
            let parents = header.parents
            placements.removeAll(keepingCapacity: true)
            for parent in parents {
                if let placement = try staged[parent] ?? contentHead(parent).map({ contentHeads[$0] })
                    ?? index.placement(of: parent)
                {
                    placements.append(placement)
                    // A long run of messages names one epoch.
                    if parent == header.epoch { staged[parent] = placement }
                } else if !waiting.contains(parent) {
                    absent.insert(parent)
                }
            }
            guard absent.isEmpty, placements.count == parents.count else {
                missing.formUnion(absent)
                waiting.insert(operation.id)
                continue
            }
            if let reason = judge.inadmissibility(to: operation, parents: placements, in: self, isMember: isMember) {
                return .inadmissible(operation.id, reason)
            }
            let hybridTime = placements.reduce(header.time.milliseconds) { max($0, $1.hybridTime + 1) }
            let placement = Placement(operation, hybridTime: hybridTime)
            staged[operation.id] = placement
            insert(content: placement, after: parents, previous: header.previous)
            admitted.append(
                AdmittedOperation(
                    operation: operation, hybridTime: placement.hybridTime,
                    provesFork: held >= header.sequenceNumber))
        }
        guard missing.isEmpty else { return .pending(missing: missing) }
        return admitted.isEmpty ? .duplicate : .admitted(admitted)
    }
}

/// Judges content operations by their membership pasts, remembering the last past: in a run of messages it rarely
/// changes.
private struct ContentValidator {
    let root: ConversationRoot
    private var heads: [OperationID] = []
    private var past = MembershipPast()
    private var known: Set<DeviceID> = []
    private var nested: Set<[OperationID]> = []

    init(root: ConversationRoot) {
        self.root = root
    }

    /// Whether the last operation had this membership past, all of which is here.
    func isAt(_ membershipHeads: [OperationID]) -> Bool { heads == membershipHeads && !heads.isEmpty }

    mutating func inadmissibility(
        to operation: Operation, parents: [Placement], in log: ConversationLog,
        isMember: (UserID, [OperationID]) -> Bool
    ) -> Inadmissibility? {
        let header = operation.header
        guard header.conversation == log.conversation else { return .foreignConversation }
        if header.previous != nil {
            guard let before = parents.first, before.device == header.device,
                before.sequenceNumber + 1 == header.sequenceNumber
            else { return .brokenChain }
        }
        if !isAt(header.membershipHeads) {
            guard let past = log.membership.past(of: header.membershipHeads) else { return .pastsDoNotNest }
            heads = header.membershipHeads
            self.past = past
            known = []
            nested = [heads]
        }
        if !known.contains(header.device) {
            let isKnown =
                switch root {
                case .group: log.membership.knows(operation.author, in: past)
                case .direct(let first, let second):
                    (operation.author.user == first || operation.author.user == second)
                        && log.membership.certifies(header.device, in: past)
                }
            guard isKnown else { return .unknownAuthor }
            guard !log.membership.isTakenOut(header.device, of: operation.author.user, in: past) else {
                return .deviceTakenOut
            }
            // Somebody who is out under the heads that they name speaks no more, whoever carries it: nobody honest ever
            // writes that.
            guard isMember(operation.author.user, heads) else { return .notAMember }
            known.insert(header.device)
        }
        for parent in parents where parent.membershipHeads != heads && !nested.contains(parent.membershipHeads) {
            // A past holds the past of all that it holds.
            guard parent.membershipHeads.allSatisfy({ log.membership.contains($0, in: past) }) else {
                return .pastsDoNotNest
            }
            nested.insert(parent.membershipHeads)
        }
        return nil
    }
}
