import Blobs
import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var annotationBodies: [Example] {
        let target = Cast.creation.id.digest.bytes
        let alice = Cast.alice.user.digest.bytes
        let file = BlobReference(
            address: blob.address, key: BlobKey(bytes: .hash("example")), mediaType: .unknown)
        let thumbnail = BlobReference(
            address: blob.address, key: BlobKey(bytes: .hash("example")), mediaType: .photo)
        let long: [UInt8] = [1, UInt8(AnnotationBody.maximumEmojiBytes + 1)]
        return [
            accepted(.editBody, "plain", body(.edit(text: "hello", mentions: []))),
            accepted(.editBody, "mentions", body(.edit(text: "@Alice", mentions: [Cast.alice.user]))),
            refused(.editBody, "truncated", "target-cut-short", target.dropLast()),
            refused(.editBody, "invalid_value", "no-text", target + [0, 0]),
            refused(.editBody, "unsorted", "mentions-twice", target + [2] + alice + alice + [1, 0x61]),
            refused(.editBody, "too_long", "text-above-the-limit", target + [0, 0x81, 0x80, 1]),
            refused(.editBody, "trailing_bytes", "and-a-zero", target + [0, 1, 0x61, 0]),
            accepted(.deleteBody, "plain", body(.delete)),
            refused(.deleteBody, "truncated", "nothing", []),
            refused(.deleteBody, "trailing_bytes", "and-a-zero", target + [0]),
            accepted(.reactionBody, "given", body(.reaction(emoji: "\u{2764}\u{FE0F}", isPresent: true))),
            accepted(.reactionBody, "taken-back", body(.reaction(emoji: "\u{1F680}", isPresent: false))),
            refused(.reactionBody, "invalid_value", "presence-2", target + [2, 1, 0x61]),
            refused(.reactionBody, "invalid_value", "no-emoji", target + [1, 0]),
            refused(.reactionBody, "invalid_value", "not-utf8", target + [1, 1, 0xFF]),
            refused(
                .reactionBody, "too_long", "emoji-above-the-limit",
                target + long + Array(repeating: 0x61, count: AnnotationBody.maximumEmojiBytes + 1)),
            accepted(.pinBody, "pinned", body(.pin(isPinned: true))),
            accepted(.pinBody, "unpinned", body(.pin(isPinned: false))),
            refused(.pinBody, "invalid_value", "pinned-2", target + [2]),
            refused(.pinBody, "truncated", "no-flag", target),
            accepted(.fileBody, "plain", body(.file(name: "a.txt", file, thumbnail: nil))),
            accepted(.fileBody, "photo", body(.file(name: "a.jpg", file, thumbnail: thumbnail))),
            accepted(
                .fileBody, "name-of-255", body(.file(name: String(repeating: "a", count: 255), file, thumbnail: nil))),
            refused(
                .fileBody, "invalid_value", "thumbnail-that-is-no-photo",
                target + [1, 0x61] + file.encoded + [1] + file.encoded),
            refused(.fileBody, "invalid_value", "thumbnail-2", target + [1, 0x61] + file.encoded + [2]),
            refused(.fileBody, "truncated", "no-thumbnail", target + [1, 0x61] + file.encoded + [1]),
            refused(.fileBody, "invalid_value", "no-name", target + [0] + file.encoded),
            refused(.fileBody, "too_long", "name-of-256", target + [0x80, 2] + file.encoded),
            refused(.fileBody, "invalid_value", "name-that-is-not-utf8", target + [1, 0xFF] + file.encoded),
            refused(.fileBody, "truncated", "without-its-last-byte", target + [1, 0x61] + file.encoded),
            refused(.fileBody, "trailing_bytes", "and-a-zero", target + [1, 0x61] + file.encoded + [0, 0]),
        ]
    }

    private static func body(_ change: AnnotationBody.Change) -> [UInt8] {
        AnnotationBody(of: Cast.creation.id, change)?.encoded ?? []
    }
}
