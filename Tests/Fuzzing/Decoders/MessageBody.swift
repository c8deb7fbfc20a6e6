import Conversations
import OperationLog

extension Decoder {
    /// The body of a message.
    static let messageBody = Decoder("message-body") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try MessageBody(decoding: bytes)
        } then: { body in
            try promise("a message body has one encoding", body.encoded == bytes)
            let written = MessageBody(text: body.text, replyTo: body.replyTo, mentions: body.mentions)
            try promise("what is decoded can be written", written == body)
        }
    }
}
