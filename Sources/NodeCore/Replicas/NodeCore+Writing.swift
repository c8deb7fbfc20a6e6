import Conversations
import OperationLog
import Replication
import Storage
import Time

extension NodeCore {
    /// Writes operations into a conversation: links them, commits them to disk, and only then shows and sends them.
    ///
    /// Where the lane does not know this device, what introduces it comes first.
    ///
    /// - Parameters:
    ///   - introduces: whether what is written introduces this device by itself.
    ///   - compose: changes a copy of the log, as this device and now, and returns what it wrote.
    /// - Throws: `disk_full` or `storage_failed`; the conversation is then as it was.
    @discardableResult
    package mutating func write(
        in conversation: ConversationID, introducing introduces: Bool = false,
        compose: (inout ConversationLog, Author, Timestamp) throws(MalformedBytes) -> [AdmittedOperation]
    ) throws(NodeError) -> [AdmittedOperation] {
        guard let replica = replicas[conversation] else {
            preconditionFailure("operations are written into open conversations")
        }
        return try write(in: replica, introducing: introduces, compose: compose)
    }

    /// Writes operations into a replica that is open already, or is opened with them: if they cannot be stored, nobody
    /// has heard of it.
    @discardableResult
    mutating func write(
        in replica: Replica, introducing introduces: Bool = false,
        compose: (inout ConversationLog, Author, Timestamp) throws(MalformedBytes) -> [AdmittedOperation]
    ) throws(NodeError) -> [AdmittedOperation] {
        var log = replica.log
        let written: [AdmittedOperation]
        do throws(MalformedBytes) {
            var introduction: [AdmittedOperation] = []
            if !introduces, let first = keyManager.introduction(to: replica, context) {
                introduction = try log.write(membership: [first.draft], by: keys.author, at: moment.wall)
            }
            written = introduction + (try compose(&log, keys.author, moment.wall))
        } catch {
            preconditionFailure("this node wrote a malformed body: \(error)")
        }
        try commit(written, log: log, from: .local)
        return written
    }

    /// Writes texts that only the members of this moment can read, in one commit with the key they need.
    ///
    /// - Parameters:
    ///   - request: what a client calls the request that they answer; nil for none.
    ///   - last: what more to write about the last of them.
    /// - Throws: as ``write(in:compose:)``.
    package mutating func write(
        closed texts: [(type: OperationType, plaintext: [UInt8])], in conversation: ConversationID,
        answering request: ClientRequest? = nil,
        about last: (OperationID) -> [(type: OperationType, plaintext: [UInt8])] = { _ in [] }
    ) throws(NodeError) -> [AdmittedOperation] {
        try carryTombstones(in: conversation)
        var replica = try replica(conversation)
        // Whoever is no reader could not open what they write themselves, and others would not take it.
        guard replica.view(at: replica.log.membership.heads)?.contains(device.id) == true else {
            throw NodeError(
                .notAParticipant, "This device is not among those that can read the conversation",
                hint: replica.group.isMember(me) ? "Other devices of yours took all its places." : nil)
        }
        var log = replica.log
        let (written, made): ([AdmittedOperation], [OperationID: EpochKey])
        do throws(MalformedBytes) {
            (written, made) = try seal(texts, in: replica, log: &log, about: last)
        } catch {
            preconditionFailure("this node wrote a malformed body: \(error)")
        }
        try commit(written, log: log, from: .local, made: made, answering: request)
        takePart(in: conversation)
        return written
    }

    /// Makes operations durable in one transaction, then visible, then known to peers.
    ///
    /// - Parameters:
    ///   - made: keys of epochs among them that this device has just made.
    ///   - request: what a client calls the request that they answer; nil for none.
    mutating func commit(
        _ admitted: [AdmittedOperation], log: ConversationLog, from origin: Origin, made: [OperationID: EpochKey] = [:],
        answering request: ClientRequest? = nil
    ) throws(NodeError) {
        if origin.isLocal { try requireWritable() }
        var plan = self.plan(admitted, log: log, from: origin, made: made)
        plan.request = request
        try store(&plan)
        announce(&plan)
    }

    /// Works out what operations change.
    private mutating func plan(
        _ admitted: [AdmittedOperation], log: ConversationLog, from origin: Origin, made: [OperationID: EpochKey]
    ) -> CommitPlan {
        let replica = replicas[log.conversation] ?? Replica(conversation: log.conversation, root: log.root)
        var plan = CommitPlan(admitted, log: log, of: replica, from: origin)
        for lane in Lane.allCases {
            var operations = plan.operations(of: lane)
            guard !operations.isEmpty else { continue }
            var encryption = EncryptionCommit()
            switch lane {
            case .membership: plan.hasConsequences = plan.replica.group.insert(operations.map(\.operation))
            case .content:
                (operations, encryption) = interpret(operations, in: &plan.replica, made: made)
                plan.replica.contentCount += operations.count
                plan.erased = encryption.takenBack
                plan.withheld = encryption.withheld
            }
            plan.settled += operations
            plan.lanes.append(LaneCommit(operations, to: lane, of: log, encryption: encryption))
        }
        return plan
    }

    /// Stores what was planned, and only then keeps it.
    private mutating func store(_ plan: inout CommitPlan) throws(NodeError) {
        do throws(StoreError) {
            try storage.commit(plan.lanes, receivedAt: moment.wall, answering: plan.request)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        do throws(StoreError) {
            try plan.replica.noteArrivals(of: plan.settled, at: moment.wall, in: storage)
        } catch {
            // It is known again after the next start.
            note(.notServed(error))
        }
        let replica = plan.replica
        if replicas[replica.id].map(\.isOnlyBegun) ?? true {
            open(replica, isByUser: plan.origin.isLocal)
        } else {
            replicas[replica.id] = replica
        }
    }

    /// Tells everybody what was stored: the machines of this node, those who watch, and peers.
    private mutating func announce(_ plan: inout CommitPlan) {
        let (conversation, settled) = (plan.replica.id, plan.settled)
        settleWithheld(in: conversation, after: settled)
        if plan.hasConsequences {
            meet(
                Set(plan.replica.group.members.map(\.user)).subtracting(plan.before.members.map(\.user)),
                in: plan.replica)
        }
        let learned = plan.lanes.filter { $0.lane == .membership }.map { learn(from: $0.operations, in: conversation) }
        tellReceipts(.changed(conversation))
        // A key that was sealed once more may open what came before it.
        let sealed = settled.lazy.map(\.operation).filter { $0.header.type == .wrap }.compactMap(\.header.epoch)
        let opened = Set(plan.lanes.flatMap(\.encryption.keys.keys)).intersection(sealed)
        if !opened.isEmpty {
            linkAnnotations(under: opened, in: conversation)
            show(.conversation(conversation))
        }
        tellFiles(.committed(settled, in: conversation))
        tellFiles(.erased(Array(plan.erased), in: conversation))
        bodyQuota.count(settled, in: conversation)
        makeRoom(after: plan.erased, in: conversation)
        // Who is out now, or in again, has less room or more, and so has who is out and wrote what is known as seen
        // only now.
        if !plan.replica.quotas.declined.isEmpty,
            plan.hasConsequences || settled.contains(where: { plan.replica.group.isPinned($0.operation) })
        {
            bodyQuota.recount(conversation)
        }
        for entry in plan.admitted where entry.provesFork { note(.forked(entry.operation.author)) }
        if plan.hasConsequences { archiveIfOver(plan.replica, before: plan.before) }
        tellRetention(.committed(conversation))
        show(
            .committed(plan.shown, in: conversation, told: plan.hasConsequences ? plan.before.systemMessages : nil))
        tellTyping(.committed(settled, in: conversation))
        if !plan.origin.isLocal, plan.hasConsequences {
            let overruled = plan.replica.group.overruled(
                plan.before.decisions(of: me), in: plan.replica.log.membership)
            if !overruled.isEmpty { show(.overruled(overruled, in: conversation)) }
        }
        for commit in plan.lanes {
            if commit.lane == .membership, plan.hasConsequences {
                announceMembership(of: plan.replica, isByUser: plan.origin.isLocal)
            }
            // Of now: what was just told may have been answered in this conversation.
            let frontier = (replicas[conversation] ?? plan.replica).log.frontier(of: commit.lane)
            replicate(.committed(conversation, commit.lane, frontier, origin(of: commit, in: &plan)))
        }
        // It writes, also here: nobody may hear of that before they hear of this.
        for (entries, isOut) in learned where isOut || !entries.isEmpty {
            settleRecord(of: entries, publishesKeys: isOut)
        }
    }

    private mutating func origin(of commit: LaneCommit, in plan: inout CommitPlan) -> Replicator.CommitOrigin {
        switch plan.origin {
        case .local: .local(push(commit, in: &plan.replica))
        case .pushed(let unreached): .pushed(unreached: unreached)
        case .fetched: .fetched
        }
    }

    /// Tells with whom a conversation is shared now, and those who are out why.
    private mutating func announceMembership(of replica: Replica, isByUser: Bool) {
        let audience = audience(of: replica)
        tellInviteCodes(.membersChanged(replica.id))
        announce(audience, of: replica.id, isByUser: isByUser)
        sendRemovalProofs(in: replica, to: audience)
    }

    /// The batch that is pushed to peers at once, the devices that may read its bodies, and which of them are sent it:
    /// all operations of one commit name the same membership heads.
    private mutating func push(_ commit: LaneCommit, in replica: inout Replica) -> Replicator.Push {
        let operations = commit.operations.map(\.operation)
        let view = operations.last.flatMap { last in
            commit.lane == .content ? replica.view(at: last.header.membershipHeads) : nil
        }
        let readers = commit.lane == .content ? Set(view?.readers.map(\.device) ?? []) : nil
        if let readers, readers.contains(where: context.isConnected) { disclose(operations, of: replica.id) }
        return Replicator.Push(
            batch: Batch(lane: commit.lane, operations: operations), readers: readers,
            reached: view.map { reached(in: $0, of: replica.id).bytes } ?? [])
    }

    /// The readers of a view who are sent what is written now, this device among them.
    private func reached(in view: View, of conversation: ConversationID) -> DeliveredReaders {
        var reached = DeliveredReaders()
        if let own = view.place(of: device.id) { reached.insert(own) }
        for recipient in TypingExchange.recipients(among: view, hearers: hearers(in: conversation), context) {
            reached.insert(recipient.place)
        }
        return reached
    }

    /// Learns of people who are in a conversation now what its lane knows of them.
    private mutating func meet(_ users: Set<UserID>, in replica: Replica) {
        for user in users.sorted() {
            guard let credentials = replica.group.credentials(of: user), contacts.learn(credentials) else { continue }
            keep(user)
        }
    }

    /// Learns what membership operations carry of people who are known.
    ///
    /// Nothing is kept of others whom they name and do not let in: anybody may name as many as they like.
    ///
    /// - Returns: the devices that records of this user name, if any came, and whether it is news that some device was
    ///   taken out.
    private mutating func learn(
        from membership: [AdmittedOperation], in conversation: ConversationID
    ) -> (seen: [IdentityRecord.Entry], isOut: Bool) {
        let bodies = membership.compactMap { MembershipBody.of($0.operation) }
        let tombstones = bodies.flatMap(\.tombstones)
        let isOut = takeIn(tombstones.filter { keeps($0.user) })
        let (before, people) = (context.countingIdentity, bodies.flatMap(\.credentials))
        for person in people where contacts.knows(person.user) && contacts.learn(person) { keep(person.user) }
        // Also where nothing came of people: who is a member again may have been none when the lane lacked nothing.
        planOwedTombstones(in: conversation)
        let own = people.map(\.identity).filter { $0.user == me && $0 != before }
        return (own.isEmpty ? [] : (own + [before]).flatMap(\.devices), isOut)
    }
}
