import Cryptography

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
        /// - Precondition: the body keeps ``Limits/body``.
        public init(type: OperationType, epoch: OperationID? = nil, body: [UInt8]) {
            self.init(type: type, epoch: epoch, bodyLength: body.count) { _ in body }
        }

        /// Drafts an operation whose body depends on where it will stand.
        ///
        /// - Precondition: `body` makes `bodyLength` bytes, at most ``Limits/body``.
        public init(
            type: OperationType, epoch: OperationID? = nil, bodyLength: Int,
            body: @escaping @Sendable (OperationHeader) -> [UInt8]
        ) {
            precondition(bodyLength <= Limits.body, "a body keeps its limit")
            self.type = type
            self.epoch = epoch
            self.bodyLength = bodyLength
            self.body = body
        }
    }

    /// Writes membership operations on top of everything this replica knows.
    ///
    /// An author names all heads he knows, never a selection: leaving one out could leave out a removal. With more than 16 he
    /// first writes `merge` operations.
    ///
    /// - Returns: what to commit in one transaction, merges included.
    public mutating func write(
        membership drafts: [Draft], by author: Author, at time: Timestamp
    ) throws(MalformedBytes) -> [AdmittedOperation] {
        var written = try mergeHeads(by: author, at: time)
        for draft in drafts { written.append(try append(membership: draft, by: author, at: time)) }
        return written
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
        // Effective time rises along every edge: the latest heads are the deepest. What is written adds no head but the own tip.
        var seen = contentHeads.filter { $0.id != first?.id }
            .sorted { ($0.effectiveTime, $0.id) > ($1.effectiveTime, $1.id) }[...]
        for (index, draft) in drafts.enumerated() {
            let tip = contentFrontier.tips[author.device.id]?.last
            let deepest = seen.prefix(Limits.dependencies)
            let (header, body) = compose(
                draft, lane: .content, tip: tip, dependencies: deepest.map(\.id).sorted(), by: author, at: time)
            unsigned.count += 1
            unsigned.bytes += draft.bodyLength
            let next = index + 1 < drafts.count ? drafts[index + 1].bodyLength : 0
            let isLast =
                index == drafts.count - 1 || unsigned.count == Limits.batchOperations
                // Leaves room for what a batch holds besides bodies.
                || unsigned.bytes + next > Limits.batchBytes / 2
            if isLast { unsigned = (0, 0) }
            let operation = author.write(header, body: body, signing: isLast)
            // The epoch lifts nothing: it is a head, or before one.
            let lifted = (seen.first?.effectiveTime ?? 0) + 1
            let own = tip.flatMap { contentHead($0.id) }.map { contentHeads[$0].effectiveTime + 1 } ?? 0
            seen = seen.dropFirst(Limits.dependencies)
            if let epoch = draft.epoch, contentHead(epoch) != nil { seen.removeAll { $0.id == epoch } }
            let placement = Placement(operation, effectiveTime: max(time.milliseconds, lifted, own))
            insert(content: placement, after: header.parents, previous: header.previous)
            written.append(
                AdmittedOperation(operation: operation, effectiveTime: placement.effectiveTime, provesFork: false))
        }
        return written
    }

    private mutating func mergeHeads(by author: Author, at time: Timestamp) throws(MalformedBytes)
        -> [AdmittedOperation]
    {
        var written: [AdmittedOperation] = []
        while membership.heads.count > Limits.dependencies {
            written.append(try append(membership: Draft(type: .merge, body: []), by: author, at: time))
        }
        return written
    }

    private mutating func append(
        membership draft: Draft, by author: Author, at time: Timestamp
    ) throws(MalformedBytes) -> AdmittedOperation {
        let tip = membershipFrontier.tips[author.device.id]?.last
        let dependencies = Array(membership.heads.filter { $0 != tip?.id }.prefix(Limits.dependencies))
        let (header, body) = compose(
            draft, lane: .membership, tip: tip, dependencies: dependencies, by: author, at: time)
        let operation = author.write(header, body: body)
        insert(membership: operation, introducing: try introductions(operation))
        return AdmittedOperation(operation: operation, effectiveTime: time.milliseconds, provesFork: false)
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
            operation: creation, effectiveTime: creation.header.time.milliseconds, provesFork: false)
    }
}
