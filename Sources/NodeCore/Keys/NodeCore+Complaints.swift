import Conversations
import OperationLog
import Time

/// Says which keys did not open, and helps others with theirs, as ``KeyComplaints`` says.
extension NodeCore {
    /// Complaints, or keys sealed once more, that one commit holds at most.
    package static let maximumComplaintsPerCommit = KeyComplaints.maximumPerCommit

    /// Says of which epochs the key did not open for this device.
    mutating func complainIfNeeded(in conversation: ConversationID) throws(NodeError) {
        let epochs = keyComplaints.due(in: conversation, context)
        guard !epochs.isEmpty else { return }
        for epoch in Set(epochs).sorted() { note(.keyMissing(epoch)) }
        try write(in: conversation) { log, author, time throws(MalformedBytes) in
            try log.write(
                content: epochs.map { ConversationLog.Draft(type: .complaint, epoch: $0, body: []) }, by: author,
                at: time)
        }
        if !keyComplaints.conversationsToComplainIn.isEmpty { effects.append(.wake(at: now + Self.complaintPause)) }
    }

    /// How long the rest of the complaints wait that one commit had no room for.
    private static let complaintPause: Duration = .milliseconds(100)

    /// Seals keys once more for members who could not open them, when it is this device's turn.
    mutating func answerComplaints(in conversation: ConversationID) throws(NodeError) {
        let complaints = keyComplaints.dueAnswers(in: conversation, &context)
        if let next = keyComplaints.nextTurn(after: now) { effects.append(.wake(at: next)) }
        guard !complaints.isEmpty else { return }
        let drafts = complaints.map { complaint in
            let wrapKey = complaint.complainer.wrapKey
            let body = WrapBody(
                device: complaint.complainer.device, wrapKey: wrapKey, wrap: wrap(complaint.key, to: wrapKey))
            return ConversationLog.Draft(type: .wrap, epoch: complaint.epoch.id, body: body.encoded)
        }
        try write(in: conversation) { log, author, time throws(MalformedBytes) in
            try log.write(content: drafts, by: author, at: time)
        }
    }

    /// Does a part of what is owed wherever a turn has come.
    mutating func settleComplaints() {
        do throws(NodeError) {
            for conversation in keyComplaints.conversationsToComplainIn { try complainIfNeeded(in: conversation) }
            for conversation in keyComplaints.conversationsToAnswerIn { try answerComplaints(in: conversation) }
        } catch {
            note(.notStored(error))
        }
    }
}
