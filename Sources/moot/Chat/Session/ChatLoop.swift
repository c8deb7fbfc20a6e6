import LocalAPIModel
import UnixSignals

/// Tells a ``ChatClient`` everything that happens, one after the other, and shows what it has become.
struct ChatLoop {
    /// What reaches it: something for the client, or a signal that ends it.
    enum Input: Sendable {
        case event(ChatClient.Event)
        /// A line that was typed where lines are printed.
        case line(String)
        case signal(UnixSignal)
        case hangUp
    }

    /// How it ended.
    private enum End {
        /// The user has enough.
        case wish
        case signal(UnixSignal)
    }

    var client: ChatClient
    var face: ChatFace
    var follower: Follower
    let inbox: ChatInbox<Input>
    /// Asks the node.
    let ask: AsyncStream<ChatClient.Effect>.Continuation
    /// Waits until nothing was typed for a moment.
    private var pause: Task<Void, Never>?

    init(
        client: ChatClient, face: ChatFace, follower: Follower, inbox: ChatInbox<Input>,
        ask: AsyncStream<ChatClient.Effect>.Continuation
    ) {
        (self.client, self.face, self.follower, self.inbox, self.ask) = (client, face, follower, inbox, ask)
    }

    /// Runs until the user has enough.
    ///
    /// - Parameter first: What opens the first conversation; nil for the list.
    /// - Returns: The signal that ended it, if one did.
    mutating func run(beginningWith first: ChatClient.Event?) async -> UnixSignal? {
        defer {
            pause?.cancel()
            follower.stop()
        }
        if let first { _ = await handle(first) } else { follower.follow(showing: nil, isConnected: false) }
        face.show(client)
        // Drawn once for all that came meanwhile: thousands of messages at once are not drawn one by one.
        while let inputs = await inbox.next() {
            for input in inputs {
                switch await handle(input) {
                case .signal(let signal): return signal
                case .wish: return nil
                case nil: break
                }
            }
            face.show(client)
        }
        return nil
    }

    private mutating func handle(_ input: Input) async -> End? {
        switch input {
        case .signal(.sigcont):
            face.forget()
            return nil
        case .signal(let signal):
            _ = await handle(ChatClient.Event.paused)
            return .signal(signal)
        case .hangUp:
            _ = await handle(ChatClient.Event.paused)
            return .wish
        case .line(let line):
            face.noteLine()
            for key in PlainView.keys(
                for: line, choosing: client.picker != nil, isAsked: client.open?.selection?.question != nil)
            {
                guard await handle(.key(key)) else { return .wish }
            }
            return nil
        case .event(let event):
            if case .key = event {
                pause?.cancel()
                pause = Task { [inbox] in await Self.waitForPause(inbox) }
            }
            return await handle(event) ? nil : .wish
        }
    }

    /// Does what the client wants.
    ///
    /// - Returns: Whether it goes on.
    private mutating func handle(_ event: ChatClient.Event) async -> Bool {
        if case .node(let event) = event, !follower.isNew(event) { return true }
        for effect in client.handle(event) {
            switch effect {
            case .quit: return false
            case .redraw: face.forget()
            case .ring: ChatTerminal.write("\u{07}")
            case .show(let conversation): follower.follow(showing: conversation, isConnected: client.isConnected)
            case .suspend:
                // Nobody sees it meanwhile: what comes is notified.
                follower.stop()
                await ChatTerminal.suspend()
                follower.resume(isConnected: client.isConnected)
                face.forget()
            case .openEditor(let text):
                let written = await ChatTerminal.lend { await ExternalEditor.edit(text) }
                face.forget()
                // Ctrl-C in the editor was for the editor; what was written there comes before all that waits.
                inbox.dropTyped { if case .signal(.sigint) = $0 { true } else { false } }
                let outcome = written.map { ChatClient.Event.written($0) }
                guard await handle(outcome ?? .told(["The editor of $VISUAL or $EDITOR failed."])) else { return false }
            case .loadList, .loadEntry, .open, .conversation, .fulfill: ask.yield(effect)
            }
        }
        return true
    }

    /// Tells when nothing was typed for a moment: to keep a draft with every key would write to the disk as often.
    private static func waitForPause(_ inbox: ChatInbox<Input>) async {
        do {
            try await Task.sleep(for: .seconds(2))
            inbox.put(.event(.paused))
        } catch {
            // Another key came, or the end.
        }
    }
}
