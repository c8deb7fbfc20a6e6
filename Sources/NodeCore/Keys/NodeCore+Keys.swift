import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Renews and publishes the keys to which others seal, as ``KeyManager`` says.
extension NodeCore {
    /// The devices of this user with their keys, as others should know them.
    package var ownCredentials: Credentials { keyManager.credentials(in: context) }

    /// Replaces a worn key and erases what is too old. Who ended their identity publishes none any more, and erases all
    /// the same.
    mutating func renewKeys() {
        do throws(StoreError) {
            if !context.isDeleted, keyManager.needsReplacement(at: moment.wall) { try replaceKey() }
            try keyManager.eraseExpired(in: context)
        } catch {
            // The key goes on; the next tick tries again.
            return
        }
        if !context.isDeleted { publishKeys() }
    }

    private mutating func replaceKey(beyond counter: UInt64 = 0) throws(StoreError) {
        try keyManager.replace(beyond: counter, in: context, using: &random)
        if contacts.learn(ownCredentials) { keep(me) }
        publishIntroduction()
        note(.keyReplaced(keyManager.wrapKeys.record.counter))
    }

    /// Tells every peer, present and to come, who this is.
    mutating func publishIntroduction() {
        replicate(.introduced(introduction, port: port))
    }

    var introduction: [UInt8] {
        Introduction(card: card, wraps: [keyManager.wrapKeys.record] + ownCredentials.wraps).encoded
    }

    /// Publishes the key where it is not known yet, a few conversations at a time.
    mutating func publishKeys() {
        for conversation in keyManager.duePublications {
            // The first message brings it.
            guard replicas[conversation]?.isOnlyBegun != true else {
                keyManager.forget(conversation)
                continue
            }
            do throws(NodeError) {
                try publishKey(in: conversation)
            } catch {
                return
            }
        }
        if !keyManager.duePublications.isEmpty { effects.append(.wake(at: now + Self.publicationPause)) }
    }

    /// How long the next conversations wait for a key that is published in many.
    private static let publicationPause: Duration = .milliseconds(20)

    /// Writes what the lane of a conversation does not know of this device, and in a direct conversation of the
    /// other's.
    ///
    /// Nothing is written where the lane knows it, or where this user is no member.
    package mutating func publishKey(in conversation: ConversationID) throws(NodeError) {
        keyManager.forget(conversation)
        guard let replica = replicas[conversation] else { return }
        do throws(NodeError) {
            try publishKey(in: replica)
        } catch {
            keyManager.publish(in: conversation)
            throw error
        }
    }

    /// The same for a replica that may not be open yet.
    mutating func publishKey(in replica: Replica) throws(NodeError) {
        guard replica.group.isMember(me) else { return }
        try requireWritable()
        if let counter = keyManager.forgottenCounter(in: replica, context) {
            do throws(StoreError) {
                try replaceKey(beyond: counter)
            } catch {
                throw NodeError(error)
            }
        }
        guard let body = keyManager.publication(in: replica, context) else { return }
        try write(in: replica, introducing: true) { log, author, time throws(MalformedBytes) in
            try log.write(membership: [body.draft], by: author, at: time)
        }
    }
}
