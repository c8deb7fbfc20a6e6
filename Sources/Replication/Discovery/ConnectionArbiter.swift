import OperationLog

/// Decides which of two connections of one pair of nodes survives.
///
/// A dialer who is connected with whoever answers ends the new one itself, before it says who it is: ``SecureChannel/receive(_:at:isConnected:)``.
public enum ConnectionArbiter {
    /// Whether a new connection, on which both have proven who they are, replaces the one there is. Both sides come to the same answer.
    ///
    /// Its dialer had none when it said who it is. So the older one is lost, unless the two crossed: then the one dialed by the smaller
    /// device stays.
    ///
    /// - Parameter age: since when there is a socket of the existing one. Two whose handshakes cannot have met did not cross.
    public static func replaces(existingDialer: DeviceID, newDialer: DeviceID, age: Duration) -> Bool {
        existingDialer == newDialer || newDialer < existingDialer || age > SecureChannel.handshakeDeadline * 2
    }
}
