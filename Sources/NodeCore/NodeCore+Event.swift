import Blobs
import OperationLog
import Replication
import Time

extension NodeCore {
    /// What happens to a node.
    ///
    /// None of it can fail: what a peer or a disk did is a fact. What the user wants can be refused, so every command
    /// is a method that throws.
    public enum Event: Sendable {
        /// The time came that ``Effect/wake(at:)`` asked for.
        case tick
        /// A datagram came to the port of beacons.
        case heard([UInt8], from: Endpoint)
        /// The host has other networks now: everybody there should hear of this node.
        case networksChanged
        /// The user named the peers to stay connected to, `host:port` each, and no others.
        case peersNamed([String])
        /// Files may take more or less of the disk.
        case fileRoomChanged
        /// A dial brought about no connection; with the stable code of the reason.
        case dialFailed(DialTarget, reason: String = "failed")
        /// A device was dialed back as ``Effect/dialBack(_:at:)`` asked for; with the stable code of the reason where
        /// nobody accepted.
        case dialedBack(DeviceID, failure: String?)
        /// The other side of a connection has proven who it is.
        case established(PeerIdentity, transcript: [UInt8], on: PeerHandle)
        /// A message came.
        case received(ReceivedMessage, on: PeerHandle)
        /// Taking a message cost so much time of the processor.
        case spent(Duration, on: ReceivedMessage, from: PeerHandle)
        /// More or less than before waits to be sent on a connection.
        case congested(PeerHandle, Congestion)
        /// A peer should have answered by now (``Replicator/overduePeers(at:)``), and its host has acknowledged that it
        /// was asked.
        case acknowledged(PeerHandle)
        /// A connection is over; with the stable code of what ended it, and what the channel ended with if that was it.
        case ended(PeerHandle, reason: String, error: ChannelError? = nil)
        /// All of a file was put into the storage, to be sent soon.
        case uploaded(BlobReference)
        /// A chunk was read for a peer, and sent if it was there.
        case chunkServed(to: PeerHandle)
        /// A chunk that should be here is not, or is not what it was: it is fetched again, and whoever counts on this
        /// node for the blob is told.
        case chunkMissing(BlobAddress)
    }

    /// Hands what happened to the machines that it concerns.
    ///
    /// - Parameter moment: when it happened; never earlier than the last one.
    public mutating func handle(_ event: Event, at moment: Moment) {
        self.moment = moment
        switch event {
        case .tick: tick()
        case .heard(let bytes, let sender): tellDiscovery(.heard(bytes, from: sender))
        case .networksChanged: tellDiscovery(.networksChanged)
        case .peersNamed(let addresses): tellDiscovery(.staticPeersChanged(addresses))
        case .fileRoomChanged: tellFiles(.welcomeChanged)
        case .dialFailed(let target, let reason): dialFailed(target, reason: reason)
        case .dialedBack(let device, let failure): dialedBack(device, failure: failure)
        case .established(let identity, let transcript, let handle):
            established(identity, transcript: transcript, on: handle)
        case .received(let message, let handle): replicate(.received(handle, message))
        case .spent(let cost, let message, let handle): spent(cost, on: message, from: handle)
        case .congested(let handle, let congestion):
            replicate(.congested(handle, congestion))
            tellReceipts(.congested(handle, isCongested: congestion == .live))
            tellFiles(.congested(handle, isCongested: congestion != .none))
        case .acknowledged(let handle): replicate(.acknowledged(handle))
        case .ended(let handle, let reason, let error):
            channelEnded(handle, reason: reason, error: error)
        case .uploaded(let reference): tellFiles(.uploaded(reference))
        case .chunkServed(let peer): tellFiles(.chunkServed(to: peer))
        case .chunkMissing(let address): tellFiles(.chunkMissing(address))
        }
    }
}
