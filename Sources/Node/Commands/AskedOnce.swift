import Conversations
import Cryptography
import KeyStore
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

/// A request to send messages to which a client gave a name.
struct AskedOnce {
    /// What a request sends.
    enum Content {
        /// A message of each text.
        case texts([String])
        /// One message with files.
        case files([String], text: String?)
    }

    /// A hash of the conversation and of what the client calls the request.
    let name: Digest
    /// A hash of what it sends.
    let content: Digest

    init(_ clientID: String, in conversation: ConversationID, sends content: Content, answering answered: OperationID?)
    {
        name = .hash("moot/1/request", conversation.digest.bytes, Array(clientID.utf8))
        var statement: Statement
        switch content {
        case .texts(let texts):
            statement = Statement("texts")
            for text in texts { statement.append(Array(text.utf8)) }
        case .files(let files, let text):
            statement = Statement("files")
            statement.append(Array((text ?? "").utf8))
            for file in files { statement.append(Array(file.utf8)) }
        }
        self.content = .hash("moot/1/request-content", answered?.digest.bytes ?? [], statement.bytes)
    }

    /// Where what it sends is stored.
    var cell: StorageLocation { StorageLocation(table: "requests", row: name.bytes, kind: "content") }
}

/// Answers a repeated request with what it made, also after a restart.
extension Node {
    /// What a request made when it came before; nil for a new one, or one without a name.
    ///
    /// - Throws: `invalid_request` if something else came by that name, `storage_failed`.
    func repetition(of asked: AskedOnce?) throws(NodeError) -> [OperationID]? {
        guard let asked else { return nil }
        let stored: StoredClientRequest?
        do throws(StoreError) {
            stored = try store.request(asked.name, at: Clock.now)
        } catch {
            throw NodeError(error)
        }
        guard let stored else { return nil }
        let content: [UInt8]
        do throws(CryptographyError) {
            content = try core.keys.sealing.openBytes(stored.sealed, in: asked.cell)
        } catch {
            throw NodeError(.corrupted("what a client asked for does not open"))
        }
        // Taking something new for a repetition would lose it.
        guard content == asked.content.bytes else {
            throw NodeError(
                .invalidRequest, "Something else was sent with this client_id",
                hint: "Give every message a client_id of its own.")
        }
        return stored.made
    }

    /// What is stored of a request with the messages that it makes.
    nonisolated func remembered(_ asked: AskedOnce) -> ClientRequest {
        var random = SystemRandom()
        return ClientRequest(
            name: asked.name, sealed: home.sealing.seal(asked.content.bytes, in: asked.cell, using: &random))
    }
}
