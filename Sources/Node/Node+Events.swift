import Conversations
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import SQLiteStore
import Storage
import Time

extension Node {
    /// Operations of one commit above which events are made only for those who watch.
    private static let burst = 64

    /// What happens from now on, or from after an event id that is still remembered.
    ///
    /// - Parameters:
    ///   - since: the last event seen; one that is too old gets a `resync` first.
    ///   - folds: whether a flood is to be told in short, unless somebody else wants each event: beyond 64 operations
    ///     in a tenth of a second, one event for each conversation stands for those about messages.
    public func subscribe(since: UInt64? = nil, folding folds: Bool = false) -> EventSubscription {
        events.watch(since: since, folding: folds) { watcher in
            Task { await self.forget(watcher) }
        }
    }

    private func forget(_ watcher: UInt64) {
        events.forget(watcher)
    }

    /// Tells watchers what is new.
    func publish(_ event: ClientEvent) {
        forgetUnread(after: event)
        switch event {
        case .committed(let admitted, let conversation, let told):
            guard let replica = replicas[conversation] else { return }
            publish(admitted, in: replica, told: told)
            indexSoon(after: admitted.count)
        case .conversation(let conversation):
            settleIfReadElsewhere(conversation)
            retractWithheld(in: conversation)
            indexSoon()
            publish(type: .conversation, in: conversation)
        case .settled(let conversation): settleNotification(of: conversation)
        case .overruled(let overrulings, let conversation):
            guard let group = replicas[conversation]?.group else { return }
            for overruling in overrulings {
                let (text, description) = describe(overruling, in: group)
                events.publish { id in
                    NodeEvent(
                        id: id, type: .overruled, conversation: conversation.description, overruled: description,
                        text: text)
                }
            }
        case .receipts(let users, let conversation):
            events.publish(ifWatched: { [self] id in
                NodeEvent(
                    id: id, type: .receipts, conversation: conversation.description,
                    people: users.map { describe(contacts[$0]) },
                    text: sentence(ofReadersAmong: users, in: conversation))
            })
        case .typing(let conversation):
            publishTyping(in: conversation)
        case .file(let address):
            publish(file: address)
        case .person(let user):
            events.publish { id in NodeEvent(id: id, type: .person, person: describe(contacts[user])) }
            notifyIfNamed(user)
        case .devices(let change):
            publish(change)
        case .forgotten(let user):
            events.publish { id in NodeEvent(id: id, type: .person, forgotten: user.description) }
        case .connected(let handle):
            guard let peer = peer(handle) else { return }
            events.publish { NodeEvent(id: $0, type: .peer, peer: peer, text: "connected") }
        case .disconnected:
            publish(type: .peer, text: "disconnected")
        case .namesake(let card, let other):
            let people = [card.user, other].map { describe(contacts[$0]) }
            let name = contacts[card.user].name
            events.publish { id in
                NodeEvent(
                    id: id, type: .warning, people: people,
                    text: "Two people are called \(name): \(card.user) and \(other). Check whom you are talking to.")
            }
        case .searched(let user, let outcome):
            tellSearchers(of: user, outcome)
        case .reachability(let question, let report):
            answer(question, report)
        }
    }

    private func publish(_ admitted: [AdmittedOperation], in replica: Replica, told: [SystemMessage]?) {
        for entry in admitted
        where entry.provesFork && self.told.isFirstFork(by: entry.operation.author.id, in: replica.id) {
            let name = contacts[entry.operation.author.user].name
            publish(
                type: .warning, in: replica.id,
                text: "A device of \(name) has contradicted itself: see 'moot membership history'.")
        }
        notify(of: admitted, in: replica, told: told)
        if admitted.count > Self.burst, !events.isWatched { return events.skip(admitted.count) }
        if events.isFolding, !core.isHidden(replica), !core.awaitsConsent(replica) {
            let isFirst = events.flood.folded.isEmpty
            guard events.flood.tells(admitted.count, of: replica.id, at: now.sinceStart) else {
                if isFirst { tellFoldedSoon() }
                self.told.unread[replica.id] = nil
                return
            }
        }
        do throws(NodeError) {
            try publishMessages(admitted, in: replica)
            let messages = Set(admitted.lazy.map(\.operation).filter { $0.header.type == .message }.map(\.id))
            // A message that came with its files is told of once.
            let annotations = admitted.map(\.operation).filter { operation in
                operation.header.type.isAnnotation
                    && !(operation.header.type == .file
                        && core.annotation(operation, in: replica.id).map { messages.contains($0.target) } ?? false)
            }
            try publishChanges(by: annotations, in: replica)
        } catch {
            logger.error("messages could not be shown", metadata: ["code": "\(error.code.rawValue)"])
        }
        guard let told else { return }
        for message in replica.group.news(since: told, for: me) {
            events.publish { id in
                NodeEvent(
                    id: id, type: .message, conversation: replica.id.description,
                    message: describe(message, in: replica))
            }
        }
        publish(type: .conversation, in: replica.id)
    }

    private func tellFoldedSoon() {
        Task {
            // Told too early, where the node is stopped meanwhile, it does no harm.
            try? await Task.sleep(for: Flood.frame)
            self.tellFolded()
        }
    }

    /// Tells of which conversations something was not told.
    private func tellFolded() {
        for conversation in events.flood.takeFolded() {
            events.publishFold { id in
                NodeEvent(id: id, type: .conversation, conversation: conversation.description, folded: true)
            }
        }
    }

    private func publishMessages(_ admitted: [AdmittedOperation], in replica: Replica) throws(NodeError) {
        // What was said among others is no event here, nor what a blocked person says to the user alone, nor what is
        // said where they have not accepted to be.
        guard !core.isHidden(replica), !core.awaitsConsent(replica) else { return }
        let written = admitted.filter { $0.operation.header.type == .message }
        guard events.isWatched else {
            for entry in written { publishIfWatched(entry.operation.id, in: replica.id) }
            return
        }
        let messages = written.filter { core.read($0.operation, in: replica.id).isShown }
        let arrivals = try arrivals(of: messages.map(\.operation.id), in: replica)
        let described = try describe(
            messages.compactMap { entry in
                arrivals[entry.operation.id].map {
                    StoredMessage(operation: entry.operation, hybridTime: entry.hybridTime, receivedAt: $0)
                }
            }, in: replica)
        guard !described.isEmpty else { return }
        // Only those who show numbers and want floods in short have them counted.
        let unread = events.hasFolding ? try unread(in: replica.id, with: messages, at: arrivals) : nil
        for message in described {
            events.publish { id in
                NodeEvent(
                    id: id, type: .message, conversation: replica.id.description, message: message, unread: unread)
            }
        }
    }

    /// When messages came, as the list tells it, too. A text may come long after its message did: of such a one the
    /// store knows it, and of what came just now the replica does.
    private func arrivals(
        of messages: [OperationID], in replica: Replica
    ) throws(NodeError) -> [OperationID: Timestamp] {
        var arrivals: [OperationID: Timestamp] = [:]
        for id in messages { arrivals[id] = replica.arrival(of: id) }
        let others = messages.filter { arrivals[$0] == nil }
        guard !others.isEmpty else { return arrivals }
        do throws(StoreError) {
            return arrivals.merging(try store.arrivals(of: others, in: replica.id)) { known, _ in known }
        } catch {
            throw NodeError(error)
        }
    }

    /// How many messages of a conversation are unread now that some came.
    private func unread(
        in conversation: ConversationID, with came: [AdmittedOperation], at arrivals: [OperationID: Timestamp]
    ) throws(NodeError) -> Int {
        let ofOthers = came.filter { $0.operation.author.user != me && !core.isBlocked($0.operation.author.user) }
        let group = replicas[conversation]?.group
        // What the user says themselves means that they have read; and of what is not to be had nothing is counted.
        let isPlain =
            ofOthers.count == came.count
            && ofOthers.allSatisfy { group?.isMember($0.operation.author.user) == true }
            && ofOthers.allSatisfy { $0.operation.body != nil || core.read($0.operation, in: conversation) == .wanted }
        let named = Set(ofOthers.map(\.operation.id))
        let added = arrivals.filter { named.contains($0.key) }
        if isPlain, var known = told.unread[conversation], now.sinceStart < known.ends, known.add(added) {
            told.unread[conversation] = known
            return known.count
        }
        do throws(StoreError) {
            let count = try unreadCount(in: conversation)
            told.unread[conversation] = UnreadSight(
                count, countedAt: Clock.now, with: added, ends: now.sinceStart + UnreadSight.lifetime)
            return count
        } catch {
            throw NodeError(error)
        }
    }

    /// Forgets how many messages are unread where what happens may change that other than by one more message.
    private func forgetUnread(after event: ClientEvent) {
        switch event {
        case .committed(let admitted, let conversation, let told):
            self.told.counted[conversation] = nil
            // Where nobody shows numbers, nothing is added to them either.
            guard
                told != nil || !events.hasFolding
                    || admitted.contains(where: { $0.operation.header.type.isAnnotation })
            else { return }
            self.told.unread[conversation] = nil
        case .conversation(let conversation):
            self.told.unread[conversation] = nil
            self.told.counted[conversation] = nil
        case .receipts(let users, let conversation):
            if users.contains(me) { self.told.unread[conversation] = nil }
        case .person, .overruled: self.told.unread = [:]
        case .settled, .devices, .forgotten, .typing, .file, .connected, .disconnected, .namesake, .searched,
            .reachability:
            break
        }
    }

    /// Numbers a message that nobody watches. Whoever resumes later is shown what it is then.
    private func publishIfWatched(_ message: OperationID, in conversation: ConversationID) {
        events.publish(ifWatched: { [self] id in
            guard let replica = replicas[conversation], let stored = try? find(message, in: replica),
                core.read(stored.operation, in: conversation).isShown,
                let description = try? describe(stored, in: replica)
            else { return nil }
            return NodeEvent(id: id, type: .message, conversation: conversation.description, message: description)
        })
    }

    /// Tells which messages are not what they were before some annotations, each once.
    private func publishChanges(by annotations: [OperationLog.Operation], in replica: Replica) throws(NodeError) {
        let annotations = annotations.filter { !core.isBlocked($0.author.user) }
        guard !annotations.isEmpty else { return }
        for change in try changes(by: annotations, in: replica) {
            events.publish { id in
                NodeEvent(
                    id: id, type: .messageChanged, conversation: replica.id.description, message: change.message,
                    text: change.sentence)
            }
        }
    }

    private func publish(type: NodeEvent.Kind, in conversation: ConversationID? = nil, text: String? = nil) {
        events.publish { NodeEvent(id: $0, type: type, conversation: conversation?.description, text: text) }
    }
}
