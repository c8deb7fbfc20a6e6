import Conversations
import OperationLog
import OperationLogFixtures
import Time

extension Decoder {
    /// What a user keeps for themselves about a conversation.
    static let preferences = Decoder("private-state") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try ConversationPreferences(decoding: bytes)
        } then: { state in
            try promise("preferences have one encoding", state.encoded == bytes)
            try promise("preferences are no longer than its limit", bytes.count <= ConversationPreferences.maximumBytes)
            try promise("merging is idempotent", state.merging(state) == state)
            var changed = state
            var change = ConversationPreferencesUpdate()
            change.pinned = !state.isPinned
            try changed.apply(change, at: .earliest, by: Cast.alice.device)
            let merged = state.merging(changed)
            try promise("a change counts on top of what it changed", merged == changed)
            let read = try ConversationPreferences(decoding: changed.encoded)
            try promise("what was changed can be read again", read == changed)
        }
    }
}
