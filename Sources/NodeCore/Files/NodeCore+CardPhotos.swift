import Blobs
import Conversations
import OperationLog
import Replication

/// The photos that people show on their cards: fetched from whoever is connected and has the card, and given to whoever asks.
///
/// A card is signed by its person, and its photo is as public as the name on it.
extension NodeCore {
    /// Who shows which photo, this user among them, by name.
    var cardPhotos: [(user: UserID, photo: PhotoReference)] {
        contacts.all.compactMap { person in person.photo.map { (person.user, $0) } }
    }

    /// Finds out which photo a person shows now, and lets go of the one before; where the storage fails, again in a while.
    mutating func indexPhotos(of user: UserID) {
        do throws(StoreError) {
            try readPhotos(of: user)
        } catch {
            note(.notJudged(error))
            unreadCards[user] = now + Self.readingRest
            planWake()
        }
    }

    /// The same; what is not known to be named by a card is not let go of where it throws.
    mutating func readPhotos(of user: UserID) throws(StoreError) {
        unreadCards[user] = nil
        let person = contacts[user]
        let photo = person.photo.map { [$0.picture, $0.thumbnail] } ?? []
        let mentions = photo.map { reference in
            FileIndex.Mention(
                namer: .card(user), readers: .everybody, author: user, message: nil, file: nil,
                name: person.name + ".jpg", reference: reference)
        }
        try set(mentions, by: .card(user))
    }

    /// Learns that a peer has been introduced: he may have photos of people.
    mutating func meetForCards(_ handle: PeerHandle) {
        for address in transfers.addresses
        where fileIndex.mentions(of: address).contains(where: { $0.conversation == nil }) {
            meet(handle, for: address)
        }
    }
}
