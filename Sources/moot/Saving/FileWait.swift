import LocalAPIModel
import Time

/// Which files are still waited for, and what became of the others: a value that is told how files are doing, and the
/// time.
struct FileWait {
    /// How it ended with a file.
    enum Outcome: Equatable {
        /// All of it is here.
        case arrived(FileDescription)
        /// It does not come, for now.
        case gaveUp(ErrorDescription.Detail)
    }

    /// How long a file may make no progress before it is given up.
    private let timeout: Duration
    /// Where they are to be saved.
    private let folder: String
    /// What is waited for, in the order in which it is to be saved.
    private(set) var waiting: [FileDescription]
    /// Since when nobody is known who has what is lacking of a file.
    private var alone: [String: ContinuousClock.Instant] = [:]

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - files: each once, as they were found.
    ///   - timeout: how long a file may lack somebody who has it.
    init(for files: [FileDescription], timeout: Duration, folder: String) {
        waiting = files
        (self.timeout, self.folder) = (timeout, folder)
    }

    /// Notes how a file is doing.
    ///
    /// - Returns: how it ended with it; nil if it is waited for on, or not at all.
    mutating func note(_ file: FileDescription, at now: ContinuousClock.Instant) -> Outcome? {
        guard let place = waiting.firstIndex(where: { $0.id == file.id }) else { return nil }
        waiting[place].received = file.received
        switch file.state {
        case .here:
            return end(place, .arrived(file))
        case .canceled:
            return end(place, .gaveUp(Self.detail(.canceled, "\(file.name) was canceled", file)))
        case .offered:
            return end(
                place, .gaveUp(Self.detail(.notHere, "\(file.name) is only offered: you have not asked for it", file)))
        case .failed:
            return end(place, .gaveUp(Self.failure(of: file)))
        case .fetching:
            alone[file.id] = nil
        case .waiting, .unknown:
            // Nobody who is connected has it, or something that a newer node says.
            alone[file.id] = alone[file.id] ?? now
        }
        return nil
    }

    /// Notes that a file is in no message any more.
    mutating func noteGone(_ id: String) -> Outcome? {
        guard let place = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        let message = "\(waiting[place].name) was deleted"
        return end(place, .gaveUp(.init(code: ErrorCode.fileNotFound.rawValue, message: message)))
    }

    /// Gives up what nobody has had for too long.
    mutating func expire(at now: ContinuousClock.Instant) -> [Outcome] {
        let given = waiting.filter { file in alone[file.id].map { now - $0 >= timeout } ?? false }
        waiting.removeAll { given.contains($0) }
        return given.map { file in
            .gaveUp(
                .init(
                    code: ErrorCode.noPeer.rawValue, message: "Nobody who is connected has \(file.name)",
                    hint: "To wait until one of them is back: \(FilesCommandLine.save(file, into: folder)) --wait 1d"))
        }
    }

    private mutating func end(_ place: Int, _ outcome: Outcome) -> Outcome {
        waiting.remove(at: place)
        return outcome
    }

    private static func failure(of file: FileDescription) -> ErrorDescription.Detail {
        let code = file.error ?? ErrorCode.storageFailed.rawValue
        let reason =
            switch ErrorCode(rawValue: code) {
            case .diskFull: "the disk of the node is full"
            case .quotaReached: "files take as much room as they may"
            default: "the node could not write it"
            }
        return .init(
            code: code, message: "\(file.name) was not fetched: \(reason)",
            hint: """
                Make room for \(TerminalText.size(file.size)); then it comes by itself, or with: \(FilesCommandLine.retry(file))
                """)
    }

    private static func detail(
        _ code: ErrorCode, _ message: String, _ file: FileDescription
    ) -> ErrorDescription.Detail {
        .init(code: code.rawValue, message: message, hint: "To fetch it: \(FilesCommandLine.retry(file))")
    }
}
