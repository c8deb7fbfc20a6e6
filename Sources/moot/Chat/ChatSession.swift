import LocalAPIClient
import LocalAPIModel
import UnixSignals

/// Joins a ``ChatState`` to a terminal and to a node: it tells the state what happens, does what the state asks for, and shows
/// what it has become.
struct ChatSession {
    let node: LocalClient
    /// The id of the conversation.
    let conversation: String
    /// The id of a message to begin at; nil for the newest.
    var place: String?

    /// What reaches the session: something for the state, or a signal that ends it.
    private enum Input: Sendable {
        case event(ChatState.Event)
        case signal(UnixSignal)
        case hangUp
    }

    /// Runs until the user has enough.
    ///
    /// - Returns: The signal that ended it, if one did.
    /// - Throws: ``LocalClientError`` if the node does not answer at the beginning, ``Failure`` if there is no terminal.
    func run() async throws -> UnixSignal? {
        let me = try await node.profile().user
        let description = try await node.conversation(conversation)
        // One that was deleted since is none to begin at.
        let unread =
            description.unread == 0
            ? nil : try await node.messages(in: conversation, unread: true, limit: 50).messages.first?.id
        try ChatTerminal.enter()
        defer { ChatTerminal.leave() }
        let inbox = ChatInbox<Input>()
        let (effects, ask) = AsyncStream<ChatState.Effect>.makeStream()
        // One after the other, so that what was typed first is sent first.
        let worker = Task { for await effect in effects { await carryOut(effect, inbox) } }
        let signal = await withTaskGroup { tasks in
            tasks.addTask { await readKeys(inbox) }
            tasks.addTask { await hearSignals(inbox) }
            tasks.addTask { await follow(inbox) }
            let state = ChatState(
                description, me: me, size: ChatTerminal.size, firstUnread: unread, seeking: place)
            let signal = await show(state, inbox, ask)
            tasks.cancelAll()
            return signal
        }
        ask.finish()
        await Self.wait(for: worker)
        return signal
    }

    /// Waits until what was typed last is sent too; not for long, because a node may be there and not answer.
    private static func wait(for worker: Task<Void, Never>) async {
        let (ending, ends) = AsyncStream<Never>.makeStream()
        Task {
            await worker.value
            ends.finish()
        }
        Task {
            try? await Task.sleep(for: .seconds(2))
            ends.finish()
        }
        for await _ in ending {}
    }

    /// Shows the state after everything that happens, until it is over.
    private func show(
        _ state: ChatState, _ inbox: ChatInbox<Input>,
        _ ask: AsyncStream<ChatState.Effect>.Continuation
    ) async -> UnixSignal? {
        let isStyled = Terminal.wantsStyle(.output)
        var state = state
        var shown: ChatFrame?
        var pause: Task<Void, Never>?
        defer { pause?.cancel() }
        func draw() {
            let frame = state.frame
            guard frame != shown else { return }
            ChatTerminal.write(frame.update(from: shown, isStyled: isStyled))
            shown = frame
        }
        draw()
        // Drawn once for all that came meanwhile: thousands of messages at once are not drawn one by one.
        while let inputs = await inbox.next() {
            for input in inputs {
                switch input {
                case .signal(.sigcont):
                    shown = nil
                case .signal(let signal):
                    for effect in state.handle(.paused) { ask.yield(effect) }
                    return signal
                case .hangUp:
                    for effect in state.handle(.paused) { ask.yield(effect) }
                    return nil
                case .event(let event):
                    if case .key = event {
                        pause?.cancel()
                        pause = Task { await Self.waitForPause(inbox) }
                    }
                    for effect in state.handle(event) {
                        switch effect {
                        case .quit: return nil
                        case .redraw: shown = nil
                        case .loadNewest, .loadEarlier, .loadConversation, .send, .markRead, .keepDraft, .type:
                            ask.yield(effect)
                        }
                    }
                }
            }
            draw()
        }
        return nil
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

    private func readKeys(_ inbox: ChatInbox<Input>) async {
        var reader = KeyReader()
        for await bytes in ChatTerminal.bytes {
            for key in reader.consume(bytes) { inbox.put(typed: .event(.key(key))) }
        }
        inbox.put(typed: .hangUp)
    }

    private func hearSignals(_ inbox: ChatInbox<Input>) async {
        for await signal in await UnixSignalsSequence(trapping: [.sigwinch, .sigcont, .sigterm, .sigint, .sighup]) {
            inbox.put(typed: signal == .sigwinch ? .event(.resized(ChatTerminal.size)) : .signal(signal))
        }
    }

    /// Follows the node's events, and begins again whenever that ends.
    private func follow(_ inbox: ChatInbox<Input>) async {
        while !Task.isCancelled {
            var reason = "The node has stopped."
            do {
                try await node.follow(
                    showing: conversation, onConnected: { inbox.put(.event(.connected)) },
                    { inbox.put(.event(.node($0))) })
            } catch LocalClientError.notRunning {
                reason = "The node is not running."
            } catch let error as LocalClientError {
                reason = error.detail.message + "."
            } catch {
                reason = "The connection to the node is lost."
            }
            inbox.put(.event(.disconnected(reason)))
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func carryOut(_ effect: ChatState.Effect, _ inbox: ChatInbox<Input>) async {
        do throws(LocalClientError) {
            switch effect {
            case .loadNewest(let limit):
                inbox.put(.event(.newest(try await node.messages(in: conversation, limit: limit))))
            case .loadEarlier(let cursor):
                let page = try await node.messages(in: conversation, before: cursor, limit: 100)
                inbox.put(.event(.earlier(page, before: cursor)))
            case .loadConversation:
                inbox.put(.event(.conversation(try await node.conversation(conversation))))
            case .markRead(let message):
                _ = try await node.markRead(conversation, upTo: message)
            case .keepDraft(let text):
                _ = try await node.change(conversation, privately: PreferencesRequest(draft: text))
            case .type:
                // Why it could not be shown to the others is told when the message is sent.
                _ = try? await node.type(in: conversation)
            case .send(let text, let answered):
                await send(text, replyTo: answered, inbox)
            case .redraw, .quit:
                // Done where the screen is.
                break
            }
        } catch {
            inbox.put(.event(.failed(error.detail)))
        }
    }

    private func send(_ text: String, replyTo answered: String?, _ inbox: ChatInbox<Input>) async {
        do throws(LocalClientError) {
            _ = try await node.send(text, to: conversation, replyTo: answered, clearsDraft: true)
        } catch .connectionLost {
            inbox.put(
                .event(
                    .refused(
                        text: text, replyTo: answered,
                        .init(
                            code: "network_error", message: "The node ended the connection.",
                            hint: "The message may have been sent: look before you send it again."))))
        } catch {
            inbox.put(.event(.refused(text: text, replyTo: answered, error.detail)))
        }
    }
}
