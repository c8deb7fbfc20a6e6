import LocalAPIClient
import LocalAPIModel

/// Saves files as they come: joins a ``FileWait`` to the node and to a folder.
struct FileSaving {
    let node: LocalClient
    /// The id of the conversation.
    let conversation: String
    let folder: String
    let output: Output

    /// What became of the files.
    struct Outcome: Sendable {
        /// Those that were saved, as they came.
        var saved: [SavedFile] = []
        /// Why others were not.
        var refusals: [ErrorDescription.Detail] = []
    }

    /// What reaches it while it waits.
    private enum Input: Sendable {
        case file(FileDescription)
        /// Something may have happened that no event told of.
        case lookAgain
        /// Time has passed.
        case tick
    }

    /// How often it looks at the clock.
    private static let pace: Duration = .milliseconds(500)

    /// Saves what is here, then what comes.
    ///
    /// - Parameter timeout: how long to wait for a file that nobody has who is connected.
    /// - Throws: ``LocalClientError`` where the node does not answer any more.
    func save(_ files: [FileDescription], timeout: Duration) async throws -> Outcome {
        var wait = FileWait(for: files, timeout: timeout, folder: folder)
        var outcome = Outcome()
        for file in files { try await report(wait.note(file, at: .now), &outcome) }
        guard !wait.waiting.isEmpty else { return outcome }
        let (inputs, tell) = AsyncThrowingStream<Input, any Error>.makeStream()
        return try await withThrowingTaskGroup { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask { await follow(tell) }
            tasks.addTask { try await tick(tell) }
            var bars: [String: ProgressBar] = [:]
            for try await input in inputs {
                switch input {
                case .file(let file):
                    try await report(wait.note(file, at: .now), &outcome)
                case .lookAgain:
                    let found = try await node.files(in: conversation)
                    for file in found { try await report(wait.note(file, at: .now), &outcome) }
                    for gone in wait.waiting where !found.contains(where: { $0.id == gone.id }) {
                        try await report(wait.noteGone(gone.id), &outcome)
                    }
                case .tick:
                    for given in wait.expire(at: .now) { try await report(given, &outcome) }
                }
                show(wait.waiting, &bars)
                if wait.waiting.isEmpty { break }
            }
            return outcome
        }
    }

    private func follow(_ tell: AsyncThrowingStream<Input, any Error>.Continuation) async {
        do {
            // What came between the list and the stream is in no event.
            try await node.follow(
                onConnected: { tell.yield(.lookAgain) },
                { event in
                    if let file = event.file {
                        tell.yield(.file(file))
                    } else if event.type == .resync || event.message?.deleted == true {
                        tell.yield(.lookAgain)
                    }
                })
            tell.finish(throwing: LocalClientError.connectionLost)
        } catch {
            tell.finish(throwing: error)
        }
    }

    private func tick(_ tell: AsyncThrowingStream<Input, any Error>.Continuation) async throws {
        while true {
            try await Task.sleep(for: Self.pace)
            tell.yield(.tick)
        }
    }

    /// Shows how files come: to a person the first of them, to a program all.
    private func show(_ files: [FileDescription], _ bars: inout [String: ProgressBar]) {
        for file in output.isJSON ? files : Array(files.prefix(1)) {
            bars[file.id, default: ProgressBar(file.name, total: file.size, on: output)].show(file.received)
        }
    }

    private func report(_ end: FileWait.Outcome?, _ outcome: inout Outcome) async throws {
        switch end {
        case .arrived(let file): try await save(file, &outcome)
        case .gaveUp(let detail): outcome.refusals.append(detail)
        case nil: break
        }
    }

    private func save(_ file: FileDescription, _ outcome: inout Outcome) async throws {
        do {
            let target = try FileTarget(named: file.name, in: folder)
            try await node.download(file.id) { bytes in try target.write(bytes) }
            let end = try target.finish()
            outcome.saved.append(SavedFile(id: file.id, path: end.path, wasThere: end.wasThere))
        } catch let failure as Failure {
            // The next one may be shorter.
            outcome.refusals.append(failure.detail)
        } catch LocalClientError.refused(var detail) {
            detail.message = "\(file.name) was not saved: \(detail.message)"
            outcome.refusals.append(detail)
        } catch LocalClientError.connectionLost {
            // So the node says in the middle of a file that it is not right; if it is gone, the question shows.
            let now = try await node.files(in: conversation).first { $0.id == file.id }
            outcome.refusals.append(
                now?.state == .here
                    ? .init(
                        code: ErrorCode.digestMismatch.rawValue,
                        message: "\(file.name) is not what its sender said", hint: "Its sender must send it again.")
                    : .init(
                        code: ErrorCode.notHere.rawValue, message: "\(file.name) broke off while it was saved",
                        hint: "It is fetched again by itself; then: \(FilesCommandLine.save(file, into: folder))"))
        }
    }
}
