import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var messageBodies: [Example] {
        let texts = ["hello", "\u{65}\u{301} \u{1F680}", "\0"]
        let reply = MessageBody(text: "yes", replyTo: Cast.creation.id)?.encoded ?? []
        let alice = Cast.alice.user.digest.bytes
        let answered =
            MessageBody(text: "@Alice @Bob", replyTo: Cast.creation.id, mentions: [Cast.alice.user, Cast.bob.user])?
            .encoded ?? []
        return zip(["plain", "not-ascii", "a-zero"], texts).map {
            accepted(.messageBody, $0, MessageBody(text: $1)?.encoded ?? [])
        } + [
            accepted(.messageBody, "reply", reply),
            refused(.messageBody, "truncated", "nothing", []),
            refused(.messageBody, "truncated", "reply-cut-short", Array(reply.prefix(20))),
            refused(.messageBody, "truncated", "text-cut-short", reply.dropLast()),
            refused(.messageBody, "trailing_bytes", "and-a-zero", reply + [0]),
            accepted(.messageBody, "reply-and-mentions", answered),
            refused(.messageBody, "invalid_value", "part-4", [4, 1, 0x61]),
            refused(.messageBody, "invalid_value", "mentions-nobody", [2, 0, 1, 0x61]),
            refused(.messageBody, "unsorted", "mentions-twice", [2, 2] + alice + alice + [1, 0x61]),
            refused(.messageBody, "too_long", "mentions-33", [2, 33]),
            refused(.messageBody, "truncated", "mentions-cut-short", [2, 1, 0x61]),
            refused(.messageBody, "invalid_value", "no-text", [0, 0]),
            refused(.messageBody, "invalid_value", "not-utf8", [0, 2, 0xC0, 0x80]),
            refused(.messageBody, "invalid_value", "surrogate", [0, 3, 0xED, 0xA0, 0x80]),
            refused(.messageBody, "too_long", "text-above-the-limit", [0, 0x81, 0x80, 1]),
            refused(.messageBody, "non_canonical_number", "length-in-two-bytes", [0, 0x81, 0, 0x61]),
        ]
    }
}
