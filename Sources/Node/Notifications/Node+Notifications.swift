import Conversations
import Dispatch
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import Replication
import SQLiteStore
import Storage
import Time

/// Tells the user what happens: watchers by an event, the desktop and the user's own command through notification
/// sinks.
extension Node {
    /// Notes that an interface shows a conversation to the user, who therefore needs no notifications of it for the
    /// next 15 seconds; what was shown of it is taken away, here and on the user's other devices.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func keepOpen(_ conversation: String) throws(NodeError) -> ConversationDescription {
        let replica = try replica(named: conversation)
        if notifier.open(replica.id, at: now.sinceStart) { clearNotification(of: replica.id) }
        change { core, moment in core.noteOpened(replica.id, at: moment) }
        return try describe(replica)
    }

    /// Notes that the user looks no more at what ``keepOpen(_:)`` said.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func close(_ conversation: String) throws(NodeError) -> ConversationDescription {
        let replica = try replica(named: conversation)
        notifier.close(replica.id)
        return try describe(replica)
    }

    /// Notes that an interface shows a conversation to the user for as long as the result is held; what was shown of it
    /// is taken away.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func show(_ conversation: String) throws(NodeError) -> ShownConversation {
        let id = try replica(named: conversation).id
        if notifier.beginShowing(id) { clearNotification(of: id) }
        change { core, moment in core.noteOpened(id, at: moment) }
        return ShownConversation(endingWith: { Task { await self.endShowing(id) } })
    }

    private func endShowing(_ conversation: ConversationID) {
        notifier.endShowing(conversation)
    }

    /// Takes away what is shown of a conversation, because it was read.
    func settleNotification(of conversation: ConversationID) {
        if notifier.read(conversation) { clearNotification(of: conversation) }
    }

    /// Shows what waited for the name of a person, if it is known now.
    func notifyIfNamed(_ person: UserID) {
        guard contacts[person].cardVersion != nil else { return }
        notifier.named(person)
        showNotifications()
    }

    /// Considers what became durable.
    func notify(of admitted: [AdmittedOperation], in replica: Replica, told: [SystemMessage]?) {
        // A group that the user erased notifies again once they are invited or added again.
        guard !core.isErased(replica) else { return }
        let mute = core.preferences(of: replica.id).mute(at: Clock.now)
        func note(_ trigger: NotificationTrigger, of messages: [NotificationTrigger] = []) {
            notifier.note(
                trigger, of: messages, in: replica.id, mute: mute, me: me,
                isNamed: contacts[trigger.actor].cardVersion != nil, at: now.sinceStart)
        }
        let awaitsConsent = core.awaitsConsent(replica)
        // In a burst only what is needed is opened.
        let recent = admitted.filter { notifier.isNews(writtenAt: $0.hybridTime) }
        let messages =
            awaitsConsent ? [] : notReadElsewhere(core.news(among: recent, in: replica.id), in: replica.id)
        if let last = messages.last {
            let mentionsMe = mute?.allowsMentions == true && messages.contains { isMentioned(in: $0, replica.id) }
            note(
                NotificationTrigger(
                    .messages(messages.count, mentionsMe: mentionsMe), by: last.author.user, operation: last.id),
                of: messages.suffix(Notifier.memory).map { message in
                    NotificationTrigger(
                        .messages(1, mentionsMe: mentionsMe), by: message.author.user, operation: message.id)
                })
        }
        if let invite = invite(among: recent, to: replica) {
            note(NotificationTrigger(.invited, by: invite.inviter, operation: invite.id))
        }
        if let told {
            for message in replica.group.news(since: told, for: me) where notifier.isNews(writtenAt: message.hybridTime)
            {
                switch message.action {
                case .added(let people) where people.contains(me), .welcomed(let people) where people.contains(me):
                    guard !core.isBlocked(message.actor) else { break }
                    note(NotificationTrigger(awaitsConsent ? .asked : .added, by: message.actor, operation: message.id))
                case .removed(me) where core.isHeard(message.actor, in: replica):
                    note(NotificationTrigger(.removed, by: message.actor, operation: message.id))
                case .actingAdmin(me):
                    // Who went is who did it.
                    guard let departure = replica.log.membership[message.operation] else { break }
                    note(NotificationTrigger(.actingAdmin, by: departure.author.user, operation: message.id))
                case .created, .welcomed, .added, .joined, .removed, .left, .promoted, .demoted, .renamed, .described,
                    .photo, .setting, .actingAdmin:
                    break
                }
            }
        }
        retractNotifications(of: admitted, in: replica)
        showNotifications()
    }

    /// What the user has not read on another device of theirs.
    private func notReadElsewhere(_ messages: [Operation], in conversation: ConversationID) -> [Operation] {
        guard core.certifiedDevices.count > 1, !messages.isEmpty,
            let marks = try? store.readMarks(in: conversation)
        else { return messages }
        return messages.filter { $0.header.sequenceNumber > marks[$0.author.id] ?? 0 }
    }

    /// Takes away what is shown of a conversation that was read on another device.
    func settleIfReadElsewhere(_ conversation: ConversationID) {
        guard core.certifiedDevices.count > 1, (try? unreadCount(in: conversation)) == 0 else { return }
        settleNotification(of: conversation)
    }

    /// The invite of the user that came with some operations and stands, of somebody whom they hear.
    private func invite(among admitted: [AdmittedOperation], to replica: Replica) -> Group.Invite? {
        guard admitted.contains(where: { $0.operation.header.type == .invite }) else { return nil }
        let came = Set(admitted.map(\.operation.id))
        return replica.group.openInvites(of: me).last { came.contains($0.id) && !core.isBlocked($0.inviter) }
    }

    /// Tells no more of messages that some operations delete.
    private func retractNotifications(of admitted: [AdmittedOperation], in replica: Replica) {
        guard notifier.concerns(replica.id) else { return }
        let deletions = admitted.map(\.operation).filter { $0.header.type == .delete }
        do throws(StoreError) {
            var targets: Set<OperationID> = []
            for deletion in deletions {
                if let target = try core.target(ofCounting: deletion, in: replica.id) { targets.insert(target.id) }
            }
            guard !targets.isEmpty else { return }
            let deleted = try core.deleted(among: targets, in: replica.id)
            if notifier.retract(deleted, in: replica.id) { clearNotification(of: replica.id) }
        } catch {
            logger.error("a notification may tell of a deleted message", metadata: ["code": "\(error.code)"])
        }
    }

    /// Tells no more of messages of a device that was revoked since.
    func retractWithheld(in conversation: ConversationID) {
        guard notifier.concerns(conversation) else { return }
        do throws(StoreError) {
            let withheld = try core.withheld(in: conversation)
            guard !withheld.isEmpty else { return }
            if notifier.retract(withheld, in: conversation) { clearNotification(of: conversation) }
            showNotifications()
        } catch {
            logger.error("a notification may tell of what is not shown", metadata: ["code": "\(error.code)"])
        }
    }

    /// Whether a message names the user.
    private func isMentioned(in operation: Operation, _ conversation: ConversationID) -> Bool {
        body(of: operation, in: conversation)?.mentions.contains(me) ?? false
    }

    private func text(of operation: Operation, in conversation: ConversationID) -> String? {
        body(of: operation, in: conversation)?.text
    }

    private func body(of operation: Operation, in conversation: ConversationID) -> MessageBody? {
        guard case .open(let bytes) = core.read(operation, in: conversation) else { return nil }
        return try? MessageBody(decoding: bytes)
    }

    private func showNotifications() {
        guard !isStopped else { return }
        for notification in notifier.due(at: now.sinceStart) {
            guard let replica = replicas[notification.conversation] else { continue }
            let shown = describe(notification, in: replica)
            events.publish { id in
                NodeEvent(
                    id: id, type: .notification, conversation: replica.id.description, notification: shown)
            }
            for sink in configuration.notificationSinks { sink.show(shown) }
        }
        guard let next = notifier.nextDue else { return }
        let moment = Instant(sinceStart: next)
        notificationTimer.wake(at: moment, now: now, leeway: .milliseconds(10), on: executor.queue) { [weak self] in
            self?.assumeIsolated { node in
                node.notificationTimer.fired()
                node.showNotifications()
            }
        }
    }

    private func clearNotification(of conversation: ConversationID) {
        events.publish { id in
            NodeEvent(id: id, type: .notificationCleared, conversation: conversation.description)
        }
        for sink in configuration.notificationSinks { sink.clear(conversation: conversation.description) }
    }

    private func describe(_ notification: Conversations.Notification, in replica: Replica) -> NotificationDescription {
        var text: String?
        if case .messages = notification.trigger.kind, let id = notification.trigger.operation {
            do throws(StoreError) {
                if let operation = try store.operation(id) { text = self.text(of: operation, in: replica.id) }
            } catch {
                // That somebody wrote is worth telling without what they wrote.
                logger.error("a message cannot be read for its notification", metadata: ["code": "\(error.code)"])
            }
        }
        let words = notification.words(
            actor: contacts[notification.trigger.actor].name, title: title(of: replica), isDirect: replica.isDirect,
            text: text)
        return NotificationDescription(
            type: NotificationDescription.Kind(notification.trigger.kind), conversation: replica.id.description,
            isGroup: !replica.isDirect, message: notification.trigger.operation?.description,
            sender: notification.trigger.actor.description, timestamp: Clock.text(Clock.now.milliseconds),
            title: words.title, body: words.body, count: notification.count, badge: badge, icon: icon(of: replica),
            sound: core.preferences(of: replica.id).mute(at: Clock.now) == nil, link: notification.link.description)
    }

    /// How many messages are unread; where that cannot be read, no number is told.
    private var badge: Int {
        do throws(NodeError) {
            return try unreadCount()
        } catch {
            logger.error("unread messages cannot be counted", metadata: ["code": "\(error.code.rawValue)"])
            return 0
        }
    }

    /// The photo of a group, or of the other in a direct conversation.
    private func icon(of replica: Replica) -> FileDescription? {
        switch replica.log.root {
        case .group: photo(of: replica)
        case .direct(let first, let second): photo(of: contacts[first == me ? second : first])
        }
    }

    // MARK: - Notification sinks

    func startNotificationSinks() {
        for sink in configuration.notificationSinks {
            sink.start { [weak self] action in
                Task {
                    await self?.perform(action)
                    if case .open(let notification) = action { await self?.openUnlessShown(notification) }
                }
            }
        }
    }

    /// For how long a page that somebody looks at may take to show what a notification leads to.
    private static let timeToShow = Duration.milliseconds(500)

    /// Lets the desktop open what a notification leads to, unless an interface that is open shows it by then.
    private func openUnlessShown(_ notification: NotificationDescription) async {
        do {
            try await Task.sleep(for: Self.timeToShow)
            let conversation = try replica(named: notification.conversation).id
            guard !isStopped, !notifier.isOpen(conversation, at: now.sinceStart) else { return }
        } catch {
            // The conversation is gone, or the task is.
            return
        }
        for sink in configuration.notificationSinks { sink.open(notification) }
    }

    private func perform(_ action: NotificationAction) {
        guard !isStopped else { return }
        do throws(NodeError) {
            switch action {
            case .open(let notification):
                events.publish { id in
                    NodeEvent(
                        id: id, type: .notificationOpened, conversation: notification.conversation,
                        notification: notification)
                }
            case .markRead(let conversation):
                _ = try markRead(conversation)
            case .reply(let text, let conversation):
                _ = try send([text], to: conversation)
                _ = try markRead(conversation)
            }
        } catch {
            logger.warning(
                "what the user did with a notification failed", metadata: ["code": "\(error.code.rawValue)"])
        }
    }
}
