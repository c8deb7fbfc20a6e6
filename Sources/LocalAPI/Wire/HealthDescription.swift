/// Whether the node does its work, for whoever watches over it.
public struct HealthDescription: Hashable, Sendable, Codable {
    /// "ok", or "degraded" while nothing can be written.
    public var status: String
    /// The version of the program.
    public var version: String
    /// "writable", or why nothing can be written now.
    public var storage: String
}
