import Conversations
import OperationLog
import Storage

/// What has no room on the disk, found anew each time it is asked for.
extension VirtualDisk {
    func declined(in conversation: ConversationID) throws(StoreError) -> [OperationLog.Operation] {
        try checkReadable()
        return image.content(of: conversation).map(\.operation).filter { image.declines($0.id, in: conversation) }
    }

    func bodyBytes(in conversation: ConversationID) throws(StoreError) -> [UserID: Int] {
        try checkReadable()
        var bytes: [UserID: Int] = [:]
        for operation in image.content(of: conversation).map(\.operation)
        where operation.body != nil || image.wants(operation.id, in: conversation) {
            bytes[operation.author.user, default: 0] += operation.header.bodyLength
        }
        return bytes.filter { $0.value > 0 }
    }

    func want(_ operations: [OperationLog.Operation], in conversation: ConversationID) throws(StoreError) {
        try transaction { image in
            for operation in operations
            where image.conversations[conversation]?.declined.remove(operation.id) != nil {
                image.conversations[conversation]?.wanted.insert(operation.id)
            }
        }
    }
}
