import OperationLog
import Replication

/// A clock of another device that differs from this host's by more than people who meet would.
public struct DifferentClock: Hashable, Sendable {
    /// The device.
    public let device: Device
    /// How far it is ahead, in milliseconds; negative where it is behind.
    public let ahead: Int64
}

extension NodeCore {
    /// By how much clocks may differ without a word.
    static let clockTolerance: Int64 = 5 * 60 * 1_000

    /// Compares the clock of a peer with this host's, by what it says at the moment it is said.
    ///
    /// Only what a device pushes of its own tells that: what was asked for, or written by others, may be old. A clock decides nothing but
    /// where messages stand, so all there is to do is to name it.
    mutating func watchClock(of operations: [Operation], from peer: PeerHandle) {
        guard let device = links[peer]?.identity?.device,
            let latest = operations.last(where: { $0.author.id == device.id })
        else { return }
        let ahead = latest.header.time.milliseconds - moment.wall.milliseconds
        guard abs(ahead) > Self.clockTolerance else {
            differentClocks[device.id] = nil
            return
        }
        if differentClocks[device.id] == nil { note(.clockDiffers(device.id, ahead: ahead)) }
        differentClocks[device.id] = DifferentClock(device: device, ahead: ahead)
    }
}
