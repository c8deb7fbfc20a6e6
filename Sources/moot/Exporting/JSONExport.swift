import LocalAPIModel

/// A conversation for programs: one object, with a message a line. The operations page describes its fields, which stay
/// what they are: a later version may add some.
struct JSONExport: ExportDocument {
    let fileName = "conversation.json"
    /// Which fields there are, and what they mean.
    static let version = 1

    private var isFirst = true

    func beginning(_ head: ExportHead) -> [UInt8] {
        var json = JSONText()
        let conversation = head.conversation
        json.object { json in
            json.field("format", "moot-export")
            json.field("version", Self.version)
            json.field("exported_at", head.time)
            json.field("program", head.program)
            json.object("conversation") { json in
                json.field("id", conversation.id)
                json.field("kind", conversation.kind.rawValue)
                json.field("title", conversation.title)
                json.field("description", conversation.description)
            }
            json.array("members", of: conversation.members) { json, member in
                json.object { json in
                    json.field("user", member.user)
                    json.field("name", member.name)
                    json.field("role", member.role.rawValue)
                    json.field("joined_at", member.joinedAt)
                }
            }
        }
        // The object goes on.
        return json.bytes.dropLast() + Array(",\n\"messages\":[".utf8)
    }

    mutating func part(_ messages: [MessageDescription], files: ExportedFiles) -> [UInt8] {
        var json = JSONText()
        for message in messages {
            json.raw(isFirst ? "\n" : ",\n")
            isFirst = false
            json.object { Self.write(message, files, to: &$0) }
        }
        return json.bytes
    }

    func end(gaps: [GapDescription]) -> [UInt8] {
        var json = JSONText()
        json.object { $0.strings("gaps", gaps.map(\.text)) }
        return Array("\n],\n".utf8) + json.bytes.dropFirst() + [UInt8(ascii: "\n")]
    }

    private static func write(_ message: MessageDescription, _ files: ExportedFiles, to json: inout JSONText) {
        json.field("id", message.id)
        json.field("kind", message.kind.rawValue)
        json.field("sent_at", message.sentAt)
        json.field("received_at", message.receivedAt)
        json.field("sender", message.sender)
        json.field("sender_name", message.senderName)
        json.field("text", message.text)
        json.field("readability", message.readability.rawValue)
        json.field("edited_at", message.editedAt)
        if message.deleted { json.field("deleted", true) }
        json.field("deleted_by", message.deletedBy)
        if message.pinned { json.field("pinned", true) }
        if message.afterRemoval == true { json.field("after_removal", true) }
        json.field("uncounted", message.uncounted?.rule)
        json.field("reply_to", message.replyTo)
        if !message.mentions.isEmpty { json.strings("mentions", message.mentions) }
        if !message.reactions.isEmpty {
            json.array("reactions", of: message.reactions) { json, reaction in
                json.object { json in
                    json.field("emoji", reaction.emoji)
                    json.strings("users", reaction.users)
                    json.strings("names", reaction.names)
                }
            }
        }
        if !message.files.isEmpty {
            json.array("files", of: message.files) { json, file in
                json.object { json in
                    json.field("id", file.id)
                    json.field("name", file.name)
                    json.field("size", file.size)
                    json.field("media_type", file.mediaType)
                    json.field("kind", file.kind.rawValue)
                    json.field("path", files[file])
                }
            }
        }
        if let system = message.system {
            json.object("system") { json in
                json.field("action", system.action.rawValue)
                json.field("actor", system.actor)
                json.strings("targets", system.targets)
                json.field("value", system.value)
                if system.overruled == true { json.field("overruled", true) }
            }
        }
    }
}
