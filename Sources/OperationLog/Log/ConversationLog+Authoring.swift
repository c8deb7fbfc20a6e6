import Cryptography
import Time

extension ConversationLog {
    /// What an author wants to say; the log adds the links.
    public struct Draft: Sendable {
        /// What the operation does.
        public let type: OperationType
        /// The epoch it belongs to.
        public let epoch: OperationID?
        let bodyLength: Int
        /// Makes the body for a header that is whole but for the body's digest.
        let body: @Sendable (OperationHeader) -> [UInt8]

        /// Drafts an operation whose body is known.
        ///
        /// - Precondition: the body keeps ``Limits/maximumBodyBytes``.
        public init(type: OperationType, epoch: OperationID? = nil, body: [UInt8]) {
            self.init(type: type, epoch: epoch, bodyLength: body.count) { _ in body }
        }

        /// Drafts an operation whose body depends on where it will stand.
        ///
        /// - Precondition: `body` makes `bodyLength` bytes, at most ``Limits/maximumBodyBytes``.
        public init(
            type: OperationType, epoch: OperationID? = nil, bodyLength: Int,
            body: @escaping @Sendable (OperationHeader) -> [UInt8]
        ) {
            precondition(bodyLength <= Limits.maximumBodyBytes, "a body keeps its limit")
            self.type = type
            self.epoch = epoch
            self.bodyLength = bodyLength
            self.body = body
        }
    }

    /// Writes membership operations on top of everything this replica knows.
    ///
    /// An author must name all heads they know, because omitting one could omit a removal. If there are more than 16
    /// heads, they first write `merge` operations. the merges follow it.
    ///
    /// - Returns: what to commit in one transaction, merges included.
    public mutating func write(
        membership drafts: [Draft], by author: Author, at time: Timestamp
    ) throws(MalformedBytes) -> [AdmittedOperation] {
        var rest = drafts[...]
        var written: [AdmittedOperation] = []
        if membership.heads.count > Limits.maximumDependencies, !isKnown(author.device, after: membership.heads),
            let first = rest.popFirst()
        {
            let entrance = try entrance(for: first, by: author, at: time)
            written.append(try append(membership: first, after: entrance, by: author, at: time))
        }
        written += try mergeHeads(by: author, at: time)
        for draft in rest {
            written.append(try append(membership: draft, after: membership.heads, by: author, at: time))
        }
        return written
    }

    /// Writes a membership operation on top of chosen operations and of the author's own last one. All else that this
    /// replica knows is left out of its past.
    ///
    /// Only for what is meant not to have seen the rest, such as a removal that takes back what it leaves out. More
    /// than 16 are merged first.
    ///
    /// - Parameter heads: what it follows, of what is here; none for what directly follows the author's last operation
    ///   alone.
    /// - Returns: what to commit in one transaction, merges included.
    /// - Precondition: ``knows(_:after:)`` says so of the author and the heads, and something is named or the author
    ///   has written in the lane.
    public mutating func write(
        membership draft: Draft, after heads: [OperationID], by author: Author, at time: Timestamp
    ) throws(MalformedBytes) -> [AdmittedOperation] {
        let isFirst = membershipFrontier.tips[author.device.id] == nil
        var rest = isFirst ? self.heads(heads, knowing: author.device)[...] : heads[...]
        var written: [AdmittedOperation] = []
        while rest.count > Limits.maximumDependencies {
            // It becomes the author's last operation, which what comes next follows.
            let merged = Array(rest.prefix(Limits.maximumDependencies))
            written.append(
                try append(membership: Draft(type: .merge, body: []), after: merged, by: author, at: time))
            rest = rest.dropFirst(Limits.maximumDependencies)
        }
        written.append(try append(membership: draft, after: Array(rest), by: author, at: time))
        return written
    }

    /// Whether an author may write on top of some operations, and of their own last one, without introducing
    /// themselves.
    public func knows(_ author: Device, after heads: [OperationID]) -> Bool {
        let own = membershipFrontier.tips[author.id]?.last.map { [$0.id] } ?? []
        return isKnown(author, after: heads + own)
    }

    /// Writes content operations, the last of which carries the signature for all.
    ///
    /// A burst that no single batch can carry has a signature wherever a batch is full.
    ///
    /// - Returns: what to commit in one transaction; membership merges first, if the lane had too many heads to name.
    /// - Precondition: this replica holds a membership lane that knows the author.
    public mutating func write(
        content drafts: [Draft], by author: Author, at time: Timestamp
    ) throws(MalformedBytes) -> [AdmittedOperation] {
        var written = try mergeHeads(by: author, at: time)
        var unsigned = (count: 0, bytes: 0)
        let first = contentFrontier.tips[author.device.id]?.last
        // Hybrid time rises along every edge: the latest heads are the deepest. What is written adds no head but its
        // own tip.
        var seen = deepestHeads(Limits.maximumDependencies * drafts.count, but: first?.id)[...]
        for (index, draft) in drafts.enumerated() {
            let tip = contentFrontier.tips[author.device.id]?.last
            let deepest = seen.prefix(Limits.maximumDependencies)
            let (header, body) = compose(
                draft, lane: .content, tip: tip, dependencies: deepest.map(\.id).sorted(), by: author, at: time)
            unsigned.count += 1
            unsigned.bytes += draft.bodyLength
            let next = index + 1 < drafts.count ? drafts[index + 1].bodyLength : 0
            let isLast =
                index == drafts.count - 1 || unsigned.count == Limits.maximumBatchOperations
                // Leaves room for what a batch holds besides bodies.
                || unsigned.bytes + next > Limits.targetBatchBytes / 2
            if isLast { unsigned = (0, 0) }
            let operation = author.write(header, body: body, signing: isLast)
            // The epoch lifts nothing: it is a head, or before one.
            let lifted = (seen.first?.hybridTime ?? 0) + 1
            let own = tip.flatMap { contentHead($0.id) }.map { contentHeads[$0].hybridTime + 1 } ?? 0
            seen = seen.dropFirst(Limits.maximumDependencies)
            if let epoch = draft.epoch, contentHead(epoch) != nil { seen.removeAll { $0.id == epoch } }
            let placement = Placement(operation, hybridTime: max(time.milliseconds, lifted, own))
            insert(content: placement, after: header.parents, previous: header.previous)
            written.append(
                AdmittedOperation(operation: operation, hybridTime: placement.hybridTime, provesFork: false))
        }
        return written
    }

    /// The heads of the content lane whose hybrid time is the highest, the highest first.
    ///
    /// - Complexity: O(*h*) in the heads, and moving those that are found.
    private func deepestHeads(_ count: Int, but own: OperationID?) -> [Placement] {
        let isDeeper = { (left: Placement, right: Placement) in
            (left.hybridTime, left.id) > (right.hybridTime, right.id)
        }
        var deepest: [Placement] = []
        for head in contentHeads where head.id != own {
            if deepest.count == count, let last = deepest.last {
                guard isDeeper(head, last) else { continue }
                deepest.removeLast()
            }
            deepest.insert(head, at: deepest.insertionIndex { isDeeper($0, head) })
        }
        return deepest
    }

    private mutating func mergeHeads(by author: Author, at time: Timestamp) throws(MalformedBytes)
        -> [AdmittedOperation]
    {
        var written: [AdmittedOperation] = []
        while membership.heads.count > Limits.maximumDependencies {
            // Later merges follow the first one.
            let isFirst = membershipFrontier.tips[author.device.id] == nil
            let heads = isFirst ? heads(membership.heads, knowing: author.device) : membership.heads
            written.append(
                try append(membership: Draft(type: .merge, body: []), after: heads, by: author, at: time))
        }
        return written
    }

    /// Some heads, but first those whose pasts know an author.
    ///
    /// Others judge a merge by the past of what it names, and admit none by somebody whom that past does not know.
    /// Which heads have the smallest ids is decided by whoever wrote them.
    private func heads(_ heads: [OperationID], knowing author: Device) -> [OperationID] {
        let certified = { (past: MembershipPast) in membership.certifies(author.id, in: past) }
        switch root {
        case .direct: return ordered(heads, beginningWith: [first(of: heads, where: certified)])
        case .group:
            if let both = first(of: heads, where: { membership.knows(author, in: $0) }) {
                return ordered(heads, beginningWith: [both])
            }
            let welcoming = first(of: heads) { membership.welcomes(author.user, in: $0) }
            return ordered(heads, beginningWith: [first(of: heads, where: certified), welcoming])
        }
    }

    /// The first of some heads whose past has some property.
    private func first(of heads: [OperationID], where holds: (MembershipPast) -> Bool) -> OperationID? {
        heads.first { membership.past(of: [$0]).map(holds) ?? false }
    }

    /// Some heads, but first some of them.
    private func ordered(_ heads: [OperationID], beginningWith first: [OperationID?]) -> [OperationID] {
        let first = first.compactMap(\.self)
        return first + heads.filter { !first.contains($0) }
    }

    /// Whether an author may write on top of some operations without introducing themselves.
    private func isKnown(_ author: Device, after heads: [OperationID]) -> Bool {
        guard let past = membership.past(of: heads) else { return false }
        return switch root {
        case .group: membership.knows(author, in: past)
        case .direct: membership.certifies(author.id, in: past)
        }
    }

    /// The heads, but first one whose past holds what lets an author in: the invite that their operation accepts, else
    /// what names them.
    private func entrance(
        for draft: Draft, by author: Author, at time: Timestamp
    ) throws(MalformedBytes) -> [OperationID] {
        let (header, body) = compose(draft, lane: .membership, tip: nil, dependencies: [], by: author, at: time)
        let invite = try introductions(author.write(header, body: body)).answer?.invite
        let opening = first(of: membership.heads) { past in
            invite.map { membership.contains($0, in: past) } ?? membership.welcomes(author.device.user, in: past)
        }
        return ordered(membership.heads, beginningWith: [opening])
    }

    /// - Parameter heads: what to name, each once; the first of them if there are too many.
    private mutating func append(
        membership draft: Draft, after heads: [OperationID], by author: Author, at time: Timestamp
    ) throws(MalformedBytes) -> AdmittedOperation {
        let tip = membershipFrontier.tips[author.device.id]?.last
        let dependencies = heads.filter { $0 != tip?.id }.prefix(Limits.maximumDependencies).sorted()
        let (header, body) = compose(
            draft, lane: .membership, tip: tip, dependencies: dependencies, by: author, at: time)
        let operation = author.write(header, body: body)
        insert(membership: operation, introducing: try introductions(operation))
        return AdmittedOperation(operation: operation, hybridTime: time.milliseconds, provesFork: false)
    }

    private func compose(
        _ draft: Draft, lane: Lane, tip: ChainTip?, dependencies: [OperationID], by author: Author, at time: Timestamp
    ) -> (OperationHeader, [UInt8]) {
        var header = OperationHeader(
            type: draft.type, conversation: conversation, lane: lane, device: author.device.id,
            sequenceNumber: (tip?.sequenceNumber ?? 0) + 1, previous: tip?.id, dependencies: dependencies,
            membershipHeads: lane == .content ? membership.heads : [], epoch: draft.epoch, time: time,
            bodyLength: draft.bodyLength, bodyDigest: Operation.digest(of: []))
        let body = draft.body(header)
        precondition(body.count == draft.bodyLength, "a body is as long as it was said to be")
        header.bodyDigest = Operation.digest(of: body)
        return (header, body)
    }
}

extension ConversationLog {
    /// Writes the operation that starts a group; its id names the conversation.
    public static func creation(body: [UInt8], by author: Author, at time: Timestamp) -> Operation {
        let header = OperationHeader(
            type: .create, conversation: nil, lane: .membership, device: author.device.id, sequenceNumber: 1,
            previous: nil, dependencies: [], membershipHeads: [], time: time, bodyLength: body.count,
            bodyDigest: Operation.digest(of: body))
        return author.write(header, body: body)
    }
}

extension ConversationLog {
    /// Takes in the creation of this very group.
    ///
    /// - Precondition: the log is empty, and the operation's id names the conversation.
    public mutating func begin(with creation: Operation) throws(MalformedBytes) -> AdmittedOperation {
        precondition(ConversationID(createdBy: creation.id) == conversation, "a group begins with its own creation")
        precondition(membership.operations.isEmpty, "a group begins once")
        insert(membership: creation, introducing: try introductions(creation))
        return AdmittedOperation(
            operation: creation, hybridTime: creation.header.time.milliseconds, provesFork: false)
    }
}
