/// Whether the node does its work, for whoever watches over it.
public struct HealthDescription: Hashable, Sendable, Codable {
    /// Whether a node does its work.
    public enum Status: String, APIEnum {
        /// It does.
        case ok
        /// Nothing can be written.
        case degraded
        case unknown
    }

    /// Whether the node does its work.
    public var status: Status
    /// The version of the program.
    public var version: String
    /// "writable", or why nothing can be written now.
    public var storage: String

    package init(status: Status, version: String, storage: String) {
        self.status = status
        self.version = version
        self.storage = storage
    }
}
