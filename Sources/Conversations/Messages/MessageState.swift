import OperationLog
import Storage
import Time

/// A message as everybody sees it: what its author sent, and what became of it.
///
/// A fold of the message and everything said about it in the one order that all replicas show. So it depends on what a
/// replica holds and never on how that came. Somebody who saw an annotation writes the next one after it: of two that
/// did not know of each other the order decides.
public struct MessageState: Hashable, Sendable {
    /// Of what counts of one person and one type about one message, so many are read: the last ones, of files and
    /// deletions the first. Else one member could make everybody read ever more for each word about it.
    public static let maximumOfPerson = 64
    /// Emoji that one message carries of one person; of more, the last ones count.
    public static let maximumReactions = 20
    /// Files that one message carries; of more, the first ones count.
    public static let maximumFiles = 16

    /// An emoji that people gave a message.
    public struct Reaction: Hashable, Sendable {
        /// The emoji.
        public let emoji: String
        /// Who gave it, the first one first.
        public private(set) var users: [UserID]

        fileprivate func adding(_ user: UserID) -> Reaction { Reaction(emoji: emoji, users: users + [user]) }
    }

    /// A file that a message carried.
    public struct DeletedFile: Hashable, Sendable {
        /// The file.
        public let file: Attachment
        /// Who deleted it first.
        public let user: UserID
    }

    /// What it says now.
    public enum Content: Hashable, Sendable {
        /// A text, which names these people; with when its author changed it last.
        case text(String, mentions: [UserID], editedAt: Timestamp?)
        /// Nothing that can be read here.
        case unreadable
        /// Nothing any more.
        case deleted(by: UserID)
    }

    /// What it says now.
    public let content: Content
    /// The message it answers.
    public let replyTo: OperationID?
    /// What people gave it, in the order in which each emoji was first given.
    public let reactions: [Reaction]
    /// The files it carries, in their order.
    public let files: [Attachment]
    /// The files of it that were deleted and whose names are still here, in their order.
    public let deletedFiles: [DeletedFile]
    /// Whether its text only says what its files are called: those that it carries, or all that it ever did.
    public let isOnlyFiles: Bool
    /// Whether the text that its author wrote names files that were deleted. It is not shown, but it is known for that
    /// only as long as these names are here.
    public let namesDeletedFiles: Bool
    /// Who pinned it to the conversation; nil while it is not pinned.
    public let pinnedBy: UserID?

    /// Whether it was deleted.
    public var isDeleted: Bool {
        switch content {
        case .deleted: true
        case .text, .unreadable: false
        }
    }

    /// Folds a message with everything said about it.
    ///
    /// - Parameters:
    ///   - author: who sent it: a person, whichever of their devices.
    ///   - body: what was sent; nil where it cannot be read.
    ///   - isCutOff: whether the message is cut off. An annotation that is changes no message that is not, but for its
    ///     author's deletion of it.
    ///   - annotations: in any order. Those of people who may not say it have no effect.
    ///   - deletions: what deletes its edits and files, by the operation that each is.
    ///   - pinning: what it takes to pin a message here.
    /// - Complexity: O(*n* log *n*) in the annotations.
    public init(
        of author: UserID, saying body: MessageBody?, isCutOff: Bool, with annotations: [Annotation],
        deletingParts deletions: [OperationID: [Annotation]] = [:], pinning: AuthorRole
    ) {
        var content = body.map { Content.text($0.text, mentions: $0.mentions, editedAt: nil) } ?? .unreadable
        var pinnedBy: UserID?
        var attached: [Attachment] = []
        var tally = ReactionTally()
        for annotation in annotations.sorted(by: { $0.position < $1.position }) {
            let counts = Self.counts(
                annotation.change.type, isOwn: annotation.author == author, by: annotation.authorRole,
                isCutOff: annotation.isCutOff, aboutCutOff: isCutOff, pinning: pinning)
            guard counts else { continue }
            switch annotation.change {
            case .delete:
                // Nothing brings it back, so nothing that comes after matters.
                self.content = .deleted(by: annotation.author)
                replyTo = nil
                reactions = []
                files = []
                deletedFiles = []
                isOnlyFiles = false
                namesDeletedFiles = false
                self.pinnedBy = nil
                return
            case .edit(let text, let mentions):
                // An edit that its author took back never comes to those who lack it, so it counts for nobody.
                let isTakenBack = deletions[annotation.position.id]?.contains {
                    $0.change == .delete && $0.author == author
                }
                guard isTakenBack != true else { continue }
                content = .text(text, mentions: mentions, editedAt: annotation.time)
            case .reaction(let emoji, let isPresent):
                tally.note(emoji, of: annotation.author, isPresent: isPresent)
            case .pin(let isPinned):
                pinnedBy = isPinned ? pinnedBy ?? annotation.author : nil
            case .file(let name, let reference, let thumbnail):
                // Copies of one annotation are neighbors.
                guard attached.last?.operation != annotation.position.id else { continue }
                attached.append(
                    Attachment(
                        operation: annotation.position.id, name: name, reference: reference, thumbnail: thumbnail))
            }
        }
        let folded = FoldedFiles(attached, deletedBy: Self.deleters(of: author, deletions), naming: content)
        files = folded.carried
        deletedFiles = folded.deleted
        isOnlyFiles = folded.written != .words
        namesDeletedFiles = folded.written == .formerFiles
        self.content = folded.content
        // One that says nothing any more answers nothing, and nobody reacts to it.
        let isDeleted = folded.content != content && folded.carried.isEmpty
        replyTo = isDeleted ? nil : body?.replyTo
        reactions = isDeleted ? [] : tally.reactions
        self.pinnedBy = isDeleted ? nil : pinnedBy
    }

    /// What a message says that has nothing but files.
    public static func text(naming files: [String]) -> String { files.joined(separator: separator) }

    fileprivate static let separator = ", "

    /// Whether an annotation counts, by the table of Protocol.md, section 8, whatever it says.
    ///
    /// - Parameters:
    ///   - isOwn: whether its author wrote the message.
    ///   - role: how much say its author had.
    ///   - aboutCutOff: whether the message is cut off: what is changes no message that is not.
    ///   - pinning: what it takes to pin a message.
    public static func counts(
        _ type: OperationType, isOwn: Bool, by role: AuthorRole, isCutOff: Bool, aboutCutOff: Bool,
        pinning: AuthorRole
    ) -> Bool {
        if type == .delete { return isOwn || role >= .moderator }
        guard aboutCutOff || !isCutOff else { return false }
        return switch type {
        case .edit, .file: isOwn
        case .reaction: role >= .member
        case .pin: role >= pinning
        default: false
        }
    }

    /// Who deleted which parts of an author's message first, of those who may.
    private static func deleters(
        of author: UserID, _ deletions: [OperationID: [Annotation]]
    ) -> [OperationID: UserID] {
        deletions.compactMapValues { annotations in
            annotations.filter { $0.change == .delete && ($0.author == author || $0.authorRole >= .moderator) }
                .min { $0.position < $1.position }?.author
        }
    }
}

/// The files of a message, and what it says of them.
private struct FoldedFiles {
    /// What an author wrote into a message.
    enum Written {
        /// What the files are called that it carries.
        case files
        /// What those are called that it ever carried, of which some were deleted.
        case formerFiles
        /// Something else.
        case words
    }

    /// Those that it carries.
    let carried: [Attachment]
    /// Those that were deleted.
    let deleted: [MessageState.DeletedFile]
    /// What its author wrote.
    let written: Written
    /// What is shown of that: no name of what was deleted.
    let content: MessageState.Content

    /// - Parameters:
    ///   - attached: all that its author attached, in their order.
    ///   - deleters: who deleted which of them.
    ///   - content: what its author wrote.
    init(_ attached: [Attachment], deletedBy deleters: [OperationID: UserID], naming content: MessageState.Content) {
        // What was deleted takes nobody's place, for it is forgotten here and there at different times.
        carried = Array(attached.filter { deleters[$0.operation] == nil }.prefix(MessageState.maximumFiles))
        deleted = attached.compactMap { file in
            deleters[file.operation].map { MessageState.DeletedFile(file: file, user: $0) }
        }
        written = Self.written(content, carrying: carried, of: attached) { deleters[$0.operation] != nil }
        guard written == .formerFiles, case .text(_, let mentions, let editedAt) = content else {
            self.content = content
            return
        }
        let names = MessageState.text(naming: carried.map(\.name))
        // Without any it says nothing any more.
        self.content =
            carried.isEmpty
            ? deleted.last.map { MessageState.Content.deleted(by: $0.user) } ?? content
            : .text(names, mentions: mentions, editedAt: editedAt)
    }

    /// - Parameters:
    ///   - carried: the files that it carries.
    ///   - attached: these and those that were deleted.
    ///   - isDeleted: whether one of them was.
    private static func written(
        _ content: MessageState.Content, carrying carried: [Attachment], of attached: [Attachment],
        isDeleted: (Attachment) -> Bool
    ) -> Written {
        guard case .text(let text, _, _) = content else { return .words }
        if text == MessageState.text(naming: carried.map(\.name)) { return .files }
        guard attached.contains(where: isDeleted) else {
            return text == MessageState.text(naming: attached.map(\.name)) ? .files : .words
        }
        // Its author may have deleted some and named the rest, before others deleted more.
        var rest = Substring(text).utf8
        for file in attached {
            let isFirst = rest.startIndex == text.utf8.startIndex
            let name = (isFirst ? "" : MessageState.separator) + file.name
            let after = rest.dropFirst(name.utf8.count)
            if rest.starts(with: name.utf8), after.isEmpty || after.starts(with: MessageState.separator.utf8) {
                rest = after
            } else if !isDeleted(file) {
                return .words
            }
        }
        return rest.isEmpty ? .formerFiles : .words
    }
}

/// Counts who gives a message which emoji, told in order.
private struct ReactionTally {
    /// Emoji are told apart by their bytes: what else looks or counts as equal differs between versions of Unicode.
    private struct Given: Hashable {
        let user: UserID
        let emoji: [UInt8]
    }

    /// What is given now, with the emoji and its place among all that was ever given.
    private var given: [Given: (emoji: String, place: Int)] = [:]
    private var count = 0

    mutating func note(_ emoji: String, of user: UserID, isPresent: Bool) {
        let key = Given(user: user, emoji: Array(emoji.utf8))
        guard isPresent else {
            given[key] = nil
            return
        }
        guard given[key] == nil else { return }
        given[key] = (emoji, count)
        count += 1
    }

    var reactions: [MessageState.Reaction] {
        var counts: [UserID: Int] = [:]
        let last = given.sorted { $0.value.place > $1.value.place }.filter { key, _ in
            counts[key.user, default: 0] += 1
            return counts[key.user, default: 0] <= MessageState.maximumReactions
        }
        var reactions: [MessageState.Reaction] = []
        var places: [[UInt8]: Int] = [:]
        for (key, value) in last.reversed() {
            if let place = places[key.emoji] {
                reactions[place] = reactions[place].adding(key.user)
            } else {
                places[key.emoji] = reactions.count
                reactions.append(MessageState.Reaction(emoji: value.emoji, users: [key.user]))
            }
        }
        return reactions
    }
}
