import Cryptography
import NodeCore

/// Makes a home of a recovery code, for a new device of its user.
public enum RecoveredHome {
    /// Makes the home: with the root of the code, and with keys of a device that are drawn.
    ///
    /// The mark of a new device comes first. So a home that was interrupted never passes for that of somebody who
    /// begins.
    ///
    /// - Parameters:
    ///   - folder: where; no home may be there.
    ///   - passphrase: what is to guard its keys.
    ///   - beginsAtOnce: whether the device becomes one of its user's although nobody has shown which they have.
    /// - Throws: `home_in_use` where a home is, and as ``Home``.
    /// - Complexity: as the passphrase's cost says.
    public static func make(
        in folder: String, of code: RecoveryCode, passphrase: Passphrase?, cost: PassphraseKey.Cost = .moderate,
        beginsAtOnce: Bool
    ) throws(NodeError) {
        try Home.makeFolder(folder)
        guard !StoppedHome.isThere(folder), !Home.hasDatabase(folder) else {
            throw NodeError(
                .homeInUse, "There is a home in \(folder) already",
                hint: "Recover into another folder with --home, or move that one away: nothing is overwritten.")
        }
        let files = Home.keyFiles(of: folder)
        try Home.makeFolder(files.folder)
        try Home.markNewDevice(in: files, beginsAtOnce: beginsAtOnce)
        var random = SystemRandom()
        _ = try Home(
            folder: folder, passphrase: passphrase, cost: cost, given: .recovered(code.root), random: &random)
    }
}
