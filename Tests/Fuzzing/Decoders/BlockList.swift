import Conversations
import OperationLog
import OperationLogFixtures
import Time

extension Decoder {
    /// Whom a user does not want to hear.
    static let blockList = Decoder("block-list") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try PersonMarks(decoding: bytes)
        } then: { list in
            try promise("a list has one encoding", list.encoded == bytes)
            try promise("a list is no longer than its limit", bytes.count <= PersonMarks.maximumBytes)
            var changed = list
            let user = Cast.bob.user
            if let changes = list.changes(
                marking: user, !list.contains(user), at: .earliest, by: Cast.alice.device)
            {
                changed.apply(changes)
                try promise("a change counts on top of what it changed", changed.contains(user) != list.contains(user))
                let read = try PersonMarks(decoding: changed.encoded)
                try promise("what was changed can be read again", read == changed)
            }
        }
    }
}
