import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Keeps when people were last connected, so that it is still known after a restart.
extension NodeCore {
    /// How long a sighting waits for others, so that a network that goes down costs one write.
    static let sightingsDelay: Duration = .seconds(1)

    /// Notes that the node is about to stop: whoever is connected was seen until now.
    ///
    /// Nothing depends on it but how much of what was seen lately is known at the next start.
    public mutating func stop(at moment: Moment) {
        self.moment = moment
        for link in links.values {
            if let user = link.identity?.device.user { contacts.see(user, at: moment.wall) }
        }
        keepSightings()
    }

    /// Stores when people were seen of whom something is kept.
    mutating func keepSightings() {
        let sightings = contacts.takeUnsavedSightings()
        guard !sightings.isEmpty else { return }
        do throws(StoreError) {
            try storage.save(sightings: sightings)
        } catch {
            note(.personNotKept(error))
        }
    }
}
