import OperationLog

/// Decides which of two connections of one pair of nodes survives.
///
/// If the dialer has a connection to the device that answers, it ends the new one itself, before it says who it is:
/// ``SecureChannel/receive(_:at:isConnected:)``.
public enum ConnectionArbiter {
    /// Whether a new connection, on which both have proven who they are, replaces the one there is.
    ///
    /// Its dialer had none when it said who it is. So the older one is lost, unless the two crossed: then both sides
    /// keep the one dialed by the smaller device.
    ///
    /// - Parameter age: how long ago the existing one was dialed or accepted. After two handshakes' time a new one did
    ///   not cross it.
    public static func replaces(existingDialer: DeviceID, newDialer: DeviceID, age: Duration) -> Bool {
        existingDialer == newDialer || newDialer < existingDialer || age > SecureChannel.handshakeDeadline * 2
    }
}
