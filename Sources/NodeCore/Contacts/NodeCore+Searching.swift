import Conversations
import OperationLog
import Replication
import Storage
import Time

/// What the node's owner and its other parts ask of ``ContactSearches``.
extension NodeCore {
    /// Looks for a person at the addresses that their contact code names; ``ClientEvent/searched(_:_:)`` tells what
    /// came of it.
    ///
    /// Whoever answers there proves who they are, so nothing is believed before. Addresses where nobody answers now are
    /// kept like those where they did: they may be asleep. An address where somebody else answers is not.
    ///
    /// - Precondition: nobody looks for themselves.
    public mutating func search(for user: UserID, device: DeviceID, at addresses: [String], moment: Moment) {
        precondition(user != me, "nobody looks for themselves")
        self.moment = moment
        tellSearches(.wanted(user, device, at: addresses))
    }

    /// Tells the searches what happened, and carries out what they ask for.
    mutating func tellSearches(_ event: ContactSearches.Event) {
        let requests = contactSearches.handle(event, in: context)
        context.familiarity.sought = contactSearches.people
        carryOut(requests)
    }

    /// Keeps dialing an address, now and after every start.
    mutating func keep(_ address: String, of device: DeviceID, success time: Timestamp?) {
        tellDiscovery(.named(address, device))
        context.familiarity.contactDevices.insert(device)
        keepFormerStrangers(where: keeps)
        do throws(StoreError) {
            try storage.note(address: address, of: device, success: time)
        } catch {
            note(.personNotKept(error))
        }
    }
}
