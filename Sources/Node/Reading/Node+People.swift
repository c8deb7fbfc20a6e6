import Blobs
import Conversations
import Foundation
import KeyStore
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import Replication
import SQLiteStore

extension Node {
    /// Who this node is.
    public func identity() -> IdentityDescription {
        let device = core.device
        return IdentityDescription(
            user: me.description, name: contacts[me].name, device: device.id.description,
            deviceName: card.identity.devices.first { $0.device.id == device.id }?.name ?? "", home: home.folder,
            photo: photo(of: contacts[me]), receipts: core.sharesReads, asksWhenAdded: core.asksWhenAdded,
            deleted: core.isDeleted)
    }

    /// Everybody this node has heard of, by name.
    ///
    /// - Parameter query: words, each of which begins a word of their names; nil for everybody.
    public func people(matching query: String? = nil) -> [PersonDescription] {
        guard let query = query.map(NameQuery.init) else { return contacts.all.map(describe) }
        return contacts.all.filter { $0.card != nil && query.matches($0.name) }.map(describe)
    }

    /// Somebody this node has heard of, by id, unique prefix or unique name; "me" is the user themselves.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name`.
    public func person(_ text: String) throws(NodeError) -> PersonDescription {
        describe(contacts[try person(named: text)])
    }

    /// Changes what others see of the user, their name, their photo and whether they learn what they read, and what
    /// they can do with them without asking.
    ///
    /// - Throws: `name_invalid`, `identity_deleted`, `disk_full`, `storage_failed`.
    public func setProfile(
        name: String? = nil, photo: NodeCore.PhotoChange? = nil, receipts: Bool? = nil, asksWhenAdded: Bool? = nil
    ) throws(NodeError) -> IdentityDescription {
        if name != nil || photo != nil {
            try change { core, moment throws(NodeError) in
                try core.setProfile(name: name, photo: photo, at: moment)
            }
        }
        if let receipts {
            try change { core, moment throws(NodeError) in try core.setSharesReads(receipts, at: moment) }
        }
        if let asksWhenAdded {
            try change { core, moment throws(NodeError) in try core.setAsksWhenAdded(asksWhenAdded, at: moment) }
        }
        return identity()
    }

    func describe(_ person: People.Person) -> PersonDescription {
        PersonDescription(
            user: person.user.description, name: person.name, nameLook: person.look.text,
            presence: presence(of: person),
            lastSeen: person.lastSeen.map(Clock.text), verified: person.isVerified,
            blocked: core.isBlocked(person.user), deleted: person.isDeleted, photo: photo(of: person),
            devices: person.devices.map(\.device.id.description), isMe: person.user == me)
    }

    /// The photo a person shows; nil for none, and for somebody of whom the user wants to see nothing.
    func photo(of person: People.Person) -> FileDescription? {
        guard let photo = person.photo, !core.isBlocked(person.user) else { return nil }
        return describe(name: "\(person.name).jpg", photo.picture, thumbnail: photo.thumbnail)
    }
}
