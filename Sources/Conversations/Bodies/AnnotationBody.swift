import Blobs
import OperationLog

/// What an operation about a message says, as it is in the operation's body.
///
/// A body that does not decode says nothing: a verdict, and no reason to refuse the operation.
public struct AnnotationBody: Hashable, Sendable {
    /// Bytes of UTF-8 an emoji may have. The longest that Unicode recommends, a kiss between two skin tones, has 35.
    public static let maximumEmojiBytes = 48

    /// What it wants of the message.
    public enum Change: Hashable, Sendable {
        /// Another text, which names these people.
        case edit(text: String, mentions: [UserID])
        /// To be hidden from everybody.
        case delete
        /// To carry an emoji of the author, or no longer.
        case reaction(emoji: String, isPresent: Bool)
        /// To be pinned, or no longer.
        case pin(isPinned: Bool)
        /// To carry a file of its author, by this name; a photo also very small, as a JPEG.
        case file(name: String, BlobReference, thumbnail: BlobReference?)

        /// The type of the operation that says it.
        public var type: OperationType {
            switch self {
            case .edit: .edit
            case .delete: .delete
            case .reaction: .reaction
            case .pin: .pin
            case .file: .file
            }
        }
    }

    /// The message it is about.
    public let target: OperationID
    /// What it wants of it.
    public let change: Change

    /// Accepts a change within its limits; nil for a text or an emoji that is empty or too long, and for too many
    /// mentions.
    public init?(of target: OperationID, _ change: Change) {
        self.target = target
        switch change {
        case .edit(let text, let mentions):
            guard let body = MessageBody(text: text, mentions: mentions) else { return nil }
            self.change = .edit(text: body.text, mentions: body.mentions)
        case .reaction(let emoji, _):
            guard (1...Self.maximumEmojiBytes).contains(emoji.utf8.count) else { return nil }
            self.change = change
        case .file(let name, _, let thumbnail):
            guard FileName.isAllowed(name), [nil, .photo].contains(thumbnail?.mediaType) else { return nil }
            self.change = change
        case .delete, .pin:
            self.change = change
        }
    }

    /// The type of its operation.
    public var type: OperationType { change.type }

    /// The canonical bytes.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        writer.write(target)
        switch change {
        case .edit(let text, let mentions):
            writer.write(ascending: mentions)
            writer.write(text: text)
        case .delete:
            break
        case .reaction(let emoji, let isPresent):
            writer.write(byte: isPresent ? 1 : 0)
            writer.write(text: emoji)
        case .pin(let isPinned):
            writer.write(byte: isPinned ? 1 : 0)
        case .file(let name, let reference, let thumbnail):
            writer.write(text: name)
            reference.write(to: &writer)
            writer.write(byte: thumbnail == nil ? 0 : 1)
            thumbnail?.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads the body of an operation of a type; nil for a type that is about no message.
    public static func decode(_ bytes: [UInt8], type: OperationType) throws(MalformedBytes) -> AnnotationBody? {
        guard type.isAnnotation else { return nil }
        var reader = CanonicalReader(bytes)
        let target: OperationID = try reader.identifier()
        let change: Change
        switch type {
        case .edit:
            let mentions = try reader.mentions()
            change = .edit(text: try reader.messageText(), mentions: mentions)
        case .delete:
            change = .delete
        case .reaction:
            let isPresent = try reader.flag(of: "present")
            let emoji = try reader.text(of: "emoji", limit: maximumEmojiBytes)
            guard !emoji.isEmpty else { throw .invalid(field: "emoji") }
            change = .reaction(emoji: emoji, isPresent: isPresent)
        case .pin:
            change = .pin(isPinned: try reader.flag(of: "pinned"))
        case .file:
            let name = try reader.text(of: "file name", limit: FileName.maximumBytes)
            guard FileName.isAllowed(name) else { throw .invalid(field: "file name") }
            let reference = try BlobReference(from: &reader)
            let thumbnail = try reader.flag(of: "thumbnail") ? try BlobReference(from: &reader) : nil
            guard [nil, .photo].contains(thumbnail?.mediaType) else { throw .invalid(field: "thumbnail's type") }
            change = .file(name: name, reference, thumbnail: thumbnail)
        default:
            return nil
        }
        try reader.finish()
        return AnnotationBody(of: target, change)
    }
}

extension CanonicalReader {
    fileprivate mutating func flag(of field: String) throws(MalformedBytes) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .invalid(field: field)
        }
    }
}
