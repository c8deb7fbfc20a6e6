/// When and how a node loses its power; see `Tests/Interposed/CutWrites.c`.
struct PowerCut: Sendable, CustomStringConvertible {
    /// What the disk keeps of what was not synced.
    enum Manner: String, CaseIterable, Sendable {
        /// All of it; the call of the cut is not made.
        case before
        /// All of it, and a part of the bytes that the call of the cut writes.
        case torn
        /// Nothing.
        case lost
        /// Some sectors and some names.
        case partly
    }

    /// The number of the call at which power is lost, counted from 1; nil if it never is.
    var call: Int?
    var manner = Manner.before
    /// Decides which part is lost.
    var seed: UInt64 = 0

    /// The exit status of a node whose power was cut.
    static let status: Int32 = 137

    /// What the library needs to know.
    ///
    /// - Parameters:
    ///   - home: the folder it watches.
    ///   - kept: a folder next to it for files that lose their name.
    func environment(home: String, kept: String) -> [String: String] {
        var environment = [
            "MOOT_CUT_FOLDER": home, "MOOT_CUT_KEPT": kept, "MOOT_CUT_MANNER": manner.rawValue,
            "MOOT_CUT_SEED": "\(seed)",
        ]
        if let call { environment["MOOT_CUT_AT"] = "\(call)" }
        return environment
    }

    /// How many calls a node has made that ended in peace.
    static func calls(in errors: String) -> Int? {
        guard let line = errors.split(separator: "\n").last(where: { $0.hasPrefix("CutWrites: ") }) else { return nil }
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    var description: String { "call \(call.map(String.init) ?? "never"), \(manner), seed \(seed)" }
}
