import Conversations
import OperationLog

extension Decoder {
    /// The body of an edit.
    static let editBody = annotation("edit-body", .edit)
    /// The body of a delete.
    static let deleteBody = annotation("delete-body", .delete)
    /// The body of a reaction.
    static let reactionBody = annotation("reaction-body", .reaction)
    /// The body of a pin.
    static let pinBody = annotation("pin-body", .pin)

    /// The body of a file.
    static let fileBody = annotation("file-body", .file)

    private static func annotation(_ name: String, _ type: OperationType) -> Decoder {
        Decoder(name) { bytes in
            try Outcome.of { () throws(MalformedBytes) in
                try AnnotationBody.decode(bytes, type: type)
            } then: { body in
                try promise("every type of annotation is known", body != nil)
                try promise("an annotation has one encoding", body?.encoded == bytes)
                try promise("an annotation knows its type", body?.type == type)
                try promise(
                    "what is decoded can be written", body.flatMap { AnnotationBody(of: $0.target, $0.change) } == body)
            }
        }
    }
}
