import LocalAPIClient
import LocalAPIModel

/// What a chat asks of its node.
struct ChatRequests: Sendable {
    let node: LocalClient
    let uploads = Uploads()
    /// Tells the chat what came of it.
    typealias Tell = @Sendable (ChatClient.Event) -> Void

    /// The messages of a page of older ones.
    private static let pageSize = 100
    /// How many conversations are more than a screen has.
    private static let firstEntries = 100

    /// Does what the client asks for. What takes long goes on after it returns.
    func carryOut(_ effect: ChatClient.Effect, _ tell: @escaping Tell) async {
        do throws(LocalClientError) {
            switch effect {
            case .loadList:
                try await loadList(tell)
            case .loadEntry(let id):
                // It may be gone again: nobody asked for it.
                guard let conversation = try? await node.conversation(id) else { return tell(.missed(id)) }
                tell(.entry(conversation))
            case .open(let place):
                tell(try await open(place))
            case .conversation(let id, let effect):
                await carryOut(effect, in: id) { tell(.conversation(id, $0)) }
            case .fulfill(let wish, let conversation):
                try await fulfill(wish, in: conversation, tell)
            case .show, .ring, .redraw, .suspend, .openEditor, .quit:
                // Done where the screen is.
                break
            }
        } catch {
            tell(.failed(error.detail))
        }
    }

    /// Tells the conversations, the first of them before the others: a screen shows no more.
    private func loadList(_ tell: Tell) async throws(LocalClientError) {
        let first = try await node.conversations(limit: Self.firstEntries, members: 0)
        let isAll = first.count < Self.firstEntries
        if !isAll { tell(.beginningOfList(first)) }
        let all = isAll ? first : try await node.conversations(members: 0)
        // Those that wait for an answer stand at the end.
        tell(.list(try await all + node.conversations(.requests, members: 0)))
    }

    /// The event that opens a conversation at a place.
    func open(_ place: ChatPlace) async throws(LocalClientError) -> ChatClient.Event {
        let description = try await node.conversation(place.conversation)
        // One that was deleted since is none to begin at.
        let unread =
            description.unread == 0
            ? nil : try await node.messages(in: description.id, unread: true, limit: 50).messages.first?.id
        return .opened(description, unread: unread, at: place)
    }

    private func carryOut(
        _ effect: ChatState.Effect, in conversation: String, _ tell: @escaping @Sendable (ChatState.Event) -> Void
    ) async {
        do throws(LocalClientError) {
            switch effect {
            case .loadNewest(let limit):
                tell(.newest(try await node.messages(in: conversation, limit: limit)))
            case .loadEarlier(let cursor):
                let page = try await node.messages(in: conversation, before: cursor, limit: Self.pageSize)
                tell(.earlier(page, before: cursor))
            case .loadLater(let cursor):
                let page = try await node.messages(in: conversation, after: cursor, limit: Self.pageSize)
                tell(.later(page, after: cursor))
            case .loadAround(let message):
                tell(.around(try await node.messages(in: conversation, around: message, margin: Self.pageSize / 2)))
            case .loadConversation:
                tell(.conversation(try await node.conversation(conversation)))
            case .markRead(let message):
                _ = try await node.markRead(conversation, upTo: message)
            case .keepDraft(let text):
                _ = try await node.change(conversation, privately: PreferencesRequest(draft: text))
            case .type:
                // Why it could not be shown to the others is told when the message is sent.
                _ = try? await node.type(in: conversation)
            case .send(let text, let answered):
                await send(text, to: conversation, replyTo: answered, tell)
            case .change(let change):
                try await carryOut(change, tell)
            case .loadReceipts(let message):
                tell(.told(Receipts.lines(of: try await node.receipts(of: message))))
            case .sendFile(let path, let text, let answered):
                Task { await sendFile(path, text, to: conversation, replyTo: answered, tell) }
            case .save(let files, let folder):
                Task { await save(files, of: conversation, into: folder, tell) }
            case .findPaths(let beginning):
                tell(.paths(PathSearch.paths(beginning: beginning), completing: beginning))
            case .wish, .openEditor, .suspend, .redraw, .quit:
                // Done by the client, or where the screen is.
                break
            }
        } catch {
            tell(.failed(error.detail))
        }
    }

    private func send(
        _ text: String, to conversation: String, replyTo answered: String?,
        _ tell: @Sendable (ChatState.Event) -> Void
    ) async {
        do throws(LocalClientError) {
            _ = try await node.send(text, to: conversation, replyTo: answered, clearsDraft: true)
        } catch .connectionLost {
            tell(
                .refused(
                    text: text, replyTo: answered,
                    .init(
                        code: "network_error", message: "The node ended the connection.",
                        hint: "The message may have been sent: look before you send it again.")))
        } catch {
            tell(.refused(text: text, replyTo: answered, error.detail))
        }
    }

    private func carryOut(
        _ change: MessageChange, _ tell: @Sendable (ChatState.Event) -> Void
    ) async throws(LocalClientError) {
        switch change {
        case .edit(let message, let text):
            do throws(LocalClientError) {
                _ = try await node.edit(message, to: text)
            } catch {
                tell(.unchanged(message, text: text, error.detail))
            }
        case .delete(let message): _ = try await node.delete(message)
        case .react(let message, let emoji): _ = try await node.react(to: message, with: emoji)
        case .withdraw(let message, let emoji): _ = try await node.withdraw(emoji, from: message)
        case .pin(let message): _ = try await node.pin(message)
        case .unpin(let message): _ = try await node.unpin(message)
        }
    }

    // MARK: - Files

    /// Prints nothing: the screen is the chat's.
    private static let silence = Output(isJSON: false, isQuiet: true)

    private func sendFile(
        _ path: String, _ text: String?, to conversation: String, replyTo answered: String?,
        _ tell: @Sendable (ChatState.Event) -> Void
    ) async {
        do {
            let put = try await uploads.during(path) {
                let file = try FileToSend(PathSearch.expanded(path))
                let put = try await file.put(into: node, printing: Self.silence)
                _ = try await node.send(text, files: [put.id], to: conversation, replyTo: answered)
                return put
            }
            tell(
                .told(
                    put.isUnconverted
                        ? ["\(put.name) is sent as it is, with all that a camera wrote into it."] : []))
        } catch {
            tell(.failed(Failure.detail(of: error)))
        }
    }

    private func save(
        _ files: [FileDescription], of conversation: String, into folder: String?,
        _ tell: @Sendable (ChatState.Event) -> Void
    ) async {
        do {
            for file in files where [.offered, .canceled].contains(file.state) { _ = try await node.fetchFile(file.id) }
            let saving = FileSaving(
                node: node, conversation: conversation, folder: folder.map(PathSearch.expanded) ?? ".",
                output: Self.silence)
            let outcome = try await saving.save(files, timeout: .seconds(10))
            let saved = outcome.saved.map { $0.wasThere ? "\($0.path) was there already." : "Saved \($0.path)" }
            tell(.told(saved + outcome.refusals.map(\.message)))
        } catch {
            tell(.failed(Failure.detail(of: error)))
        }
    }

    // MARK: - Wishes

    private func fulfill(
        _ wish: ChatWish, in conversation: String?, _ tell: Tell
    ) async throws(LocalClientError) {
        switch wish {
        case .search(let words):
            tell(.found(try await node.search(words, limit: 100), words: words))
        case .create(let name, let people):
            try await show(node.createGroup(name: name, members: people), tell)
        case .direct(let person):
            try await show(node.openDirect(with: person), tell)
        case .join(let code):
            try await show(node.join(code: code), tell)
        case .go, .list, .help:
            // The client has the list.
            break
        case .add, .invite, .answer, .leave, .mute, .archive:
            guard let conversation else { return }
            try await fulfill(wish, for: conversation, tell)
        }
    }

    private func show(_ conversation: ConversationDescription, _ tell: Tell) async throws(LocalClientError) {
        tell(try await open(ChatPlace(conversation: conversation.id)))
    }

    private func fulfill(
        _ wish: ChatWish, for conversation: String, _ tell: Tell
    ) async throws(LocalClientError) {
        switch wish {
        case .add(let people):
            _ = try await node.add(people, to: conversation)
        case .invite(let person):
            _ = try await node.invite(person, to: conversation)
            tell(.told(["\(person) is invited."]))
        case .answer(let accepting):
            let changed = try await node.answerInvite(to: conversation, accepting: accepting)
            tell(.conversation(conversation, .conversation(changed)))
        case .leave(let successor, let archives):
            let left = try await node.leave(
                conversation, successor: successor, force: successor == nil, archive: archives)
            tell(.told(["You left \(left.title)."]))
            tell(.conversation(conversation, .conversation(left)))
        case .mute(let words):
            guard let muting = PreferencesRequest.Muting(words) else {
                return tell(
                    .told(["\"\(words)\" is no duration: /mute 30m, 8h, 1d or 1w, /mute off, or /mute for good."]))
            }
            let changed = try await node.change(conversation, privately: PreferencesRequest(muting: muting))
            let mute = PrivateMarks.mute(of: changed).map { "is muted \($0)" } ?? "notifies you again"
            tell(.told(["\(changed.title) \(mute)."]))
            tell(.entry(changed))
        case .archive(let isArchived):
            let changed = try await node.change(conversation, privately: PreferencesRequest(archived: isArchived))
            tell(.told([isArchived ? "\(changed.title) is archived; /archive off puts it back." : "It is back."]))
            tell(.entry(changed))
        case .go, .list, .help, .search, .create, .direct, .join:
            break
        }
    }
}

extension PreferencesRequest.Muting {
    /// How long a conversation is muted, from what a person writes: nothing for good, "off", a duration or a time of
    /// day.
    fileprivate init?(_ words: String) {
        switch words {
        case "", "forever": self = .forever
        case "off": self = .off
        default:
            guard let end = WrittenTime.next(clock: words) ?? WrittenTime.end(after: words) else { return nil }
            self = .until(end)
        }
    }
}
