import ArgumentParser
import LocalAPIClient
import LocalAPIModel
import UnixSignals

/// Joins a ``ChatClient`` to a terminal and to a node: it hears what happens, and has done what the client asks for.
struct ChatSession {
    let node: LocalClient
    /// The conversation to begin with, by id, unique id prefix or unique name; nil for the list.
    let conversation: String?
    /// The id of a message to begin at; nil for the first unread one, or the newest.
    var place: String?
    /// Whether lines are printed below each other, instead of a screen that is drawn.
    var isPlain = false

    /// Runs until the user has enough, and then says which files were not sent to the end.
    ///
    /// - Throws: ``LocalClientError`` if the node does not answer at the beginning, ``Failure`` if there is no
    ///   terminal, and where a signal ended it the exit status by which a shell reports that.
    func run(telling output: Output) async throws {
        let requests = ChatRequests(node: node)
        let signal = try await run(requests)
        for path in requests.uploads.underWay { output.say("\(TerminalText.line(path)) was not sent.") }
        if let signal { throw ExitCode(128 + signal.rawValue) }
    }

    private func run(_ requests: ChatRequests) async throws -> UnixSignal? {
        let me = try await node.profile().user
        var first: ChatClient.Event?
        if let conversation {
            first = try await requests.open(ChatPlace(conversation: conversation, message: place))
        }
        if isPlain { try ChatTerminal.check() } else { try ChatTerminal.enter() }
        defer { ChatTerminal.leave() }
        let inbox = ChatInbox<ChatLoop.Input>()
        let (effects, ask) = AsyncStream<ChatClient.Effect>.makeStream()
        // One after the other, so that what was typed first is sent first.
        let worker = Task {
            for await effect in effects { await requests.carryOut(effect) { inbox.put(.event($0)) } }
        }
        let signal = await withTaskGroup { [first] tasks in
            tasks.addTask { await isPlain ? readLines(inbox) : readKeys(inbox) }
            tasks.addTask { await hearSignals(inbox) }
            var loop = ChatLoop(
                client: ChatClient(me: me, size: size), face: ChatFace(isPlain: isPlain),
                follower: Follower(node: node) { inbox.put(.event($0)) }, inbox: inbox, ask: ask)
            let signal = await loop.run(beginningWith: first)
            tasks.cancelAll()
            return signal
        }
        ask.finish()
        await Self.wait(for: worker, requests.uploads)
        return signal
    }

    private var size: ChatSize {
        let size = ChatTerminal.size
        return isPlain ? ChatSize(rows: PlainView.rows, columns: size.columns) : size
    }

    /// Waits until what was typed last is sent too, and files that are nearly there; not for long, because a node may
    /// be there and not answer.
    private static func wait(for worker: Task<Void, Never>, _ uploads: Uploads) async {
        let (ending, ends) = AsyncStream<Never>.makeStream()
        Task {
            await worker.value
            while !uploads.underWay.isEmpty, (try? await Task.sleep(for: .milliseconds(20))) != nil {}
            ends.finish()
        }
        Task {
            try? await Task.sleep(for: .seconds(2))
            ends.finish()
        }
        for await _ in ending {}
    }

    private func readKeys(_ inbox: ChatInbox<ChatLoop.Input>) async {
        var reader = KeyReader()
        for await bytes in ChatTerminal.bytes {
            for key in bytes.isEmpty ? reader.pause() : reader.consume(bytes) { inbox.put(typed: .event(.key(key))) }
        }
        inbox.put(typed: .hangUp)
    }

    private func readLines(_ inbox: ChatInbox<ChatLoop.Input>) async {
        var rest: [UInt8] = []
        for await bytes in ChatTerminal.bytes {
            rest += bytes
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                inbox.put(typed: .line(String(decoding: rest[..<end], as: UTF8.self)))
                rest.removeSubrange(...end)
            }
        }
        inbox.put(typed: .hangUp)
    }

    private func hearSignals(_ inbox: ChatInbox<ChatLoop.Input>) async {
        for await signal in await UnixSignalsSequence(trapping: [.sigwinch, .sigcont, .sigterm, .sigint, .sighup]) {
            inbox.put(typed: signal == .sigwinch ? .event(.resized(size)) : .signal(signal))
        }
    }
}
