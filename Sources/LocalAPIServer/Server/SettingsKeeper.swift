import LocalAPIModel
import NodeCore

/// Knows the settings of the node, which are those of whoever runs the process.
public protocol SettingsKeeper: Sendable {
    /// Those in force.
    var description: SettingsDescription { get async }

    /// Reads them again, and takes over what a running node can.
    ///
    /// - Throws: `bad_configuration`, `permission_denied`; then everything stays as it was.
    func reload() async throws(NodeError) -> SettingsReloadDescription
}
