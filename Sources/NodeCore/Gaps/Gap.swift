import OperationLog

/// Something that is known to be missing here, and who may have it.
public struct Gap: Hashable, Sendable {
    /// What is missing.
    public enum Content: Hashable, Sendable {
        /// The body of an operation whose header is here.
        case body(OperationID)
        /// Operations that others depend on, by name.
        case operations([OperationID])
        /// Operations of a device that somebody has advertised, by their place in its chain of the content lane.
        case chain(Device, ClosedRange<UInt64>)
    }

    /// A device that may fill the gap.
    public struct Source: Hashable, Sendable {
        /// Whose it is.
        public let user: UserID
        /// The device.
        public let device: DeviceID
        /// Whether it wrote what is missing.
        public let isAuthor: Bool
        /// Whether it is connected now.
        public let isReachable: Bool
        /// Whether it was asked, and did not have it.
        public let hadNothing: Bool
    }

    /// What is missing.
    public let content: Content
    /// Who may have it: the author first, then those who are reachable; by device.
    public let sources: [Source]
}
