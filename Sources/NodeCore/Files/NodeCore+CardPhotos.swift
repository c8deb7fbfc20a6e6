import Blobs
import OperationLog

/// The photos that people show on their cards.
extension NodeCore {
    /// Who shows which photo, this user among them, by name.
    var cardPhotos: [(user: UserID, photo: PhotoReference)] {
        contacts.all.compactMap { person in person.photo.map { (person.user, $0) } }
    }

    /// Finds out which photo a person shows now, and lets go of the one before.
    mutating func indexPhotos(of user: UserID) {
    }
}
