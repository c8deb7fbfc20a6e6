import OperationLog

/// Decides which of two connections of one pair of nodes survives.
public enum ConnectionArbiter {
    /// Whether a new connection replaces the one there is. Both sides come to the same answer.
    ///
    /// Of two that were dialed from different sides the one dialed by the smaller device stays; of two dialed from one side
    /// the newer: its dialer has lost the older one.
    public static func replaces(
        existingDialer: DeviceID, newDialer: DeviceID
    ) -> Bool {
        existingDialer == newDialer || newDialer < existingDialer
    }
}
