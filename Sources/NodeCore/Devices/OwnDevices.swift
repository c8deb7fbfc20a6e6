import OperationLog
import Replication
import Time

/// What this device still wants of its user's other devices.
///
/// What others wrote before this device was linked was sealed to those. They pass on the keys, how far the user has read, and what the user keeps
/// for themselves.
struct OwnDevices {
    /// How long a device has to answer.
    private static let timeout: Duration = .seconds(5)

    /// A question for the keys of one conversation.
    private struct Question {
        let device: PeerHandle
        let epochs: [OperationID]
        let until: Instant
    }

    private var questions: [ConversationID: Question] = [:]
    /// The keys that a device was asked for and did not have, while the connection lasts.
    private var denied: [PeerHandle: Set<OperationID>] = [:]
    /// How far the user has read what has not come here yet.
    var readMarks = AwaitedReadMarks()
    /// Makes what the user keeps for themselves equal on all of their devices.
    var privateExchange = PrivateExchange()
    /// The conversations of which nothing was here when another device said how long it keeps them, and that are kept so long therefore.
    var retentionTakenOver: Set<ConversationID> = []

    /// When somebody who was asked has taken too long, or another device is to hear or to be asked something.
    var nextDeadline: Instant? {
        [questions.values.lazy.map(\.until).min(), privateExchange.nextDeadline].compactMap { $0 }.min()
    }

    /// The next question for the keys of a conversation, unless one is under way; nil where nobody here may have more.
    ///
    /// - Parameters:
    ///   - lacking: the epochs whose keys are lacking.
    ///   - devices: the user's other devices that share the conversation and are connected, in one order.
    mutating func ask(
        for lacking: Set<OperationID>, in conversation: ConversationID, among devices: [PeerHandle], at now: Instant
    ) -> (device: PeerHandle, epochs: [OperationID])? {
        if let question = questions[conversation] {
            guard question.until <= now || !devices.contains(question.device) else { return nil }
        }
        // Whoever took too long may only be busy: they are asked again, after the others.
        let late = questions.removeValue(forKey: conversation)?.device
        for device in devices.filter({ $0 != late }) + devices.filter({ $0 == late }) {
            let open = denied[device].map(lacking.subtracting) ?? lacking
            guard !open.isEmpty else { continue }
            let epochs = Array(open.sorted().prefix(PeerMessage.maximumKeys))
            questions[conversation] = Question(device: device, epochs: epochs, until: now + Self.timeout)
            return (device, epochs)
        }
        return nil
    }

    /// Notes an answer: what it lacks, that device does not have.
    mutating func answered(_ epochs: some Sequence<OperationID>, by device: PeerHandle, in conversation: ConversationID)
    {
        guard let question = questions[conversation], question.device == device else { return }
        questions[conversation] = nil
        deny(Set(question.epochs).subtracting(epochs), by: device)
    }

    /// Forgets what a connection told that is over: on the next one the device is asked once more.
    mutating func lose(_ device: PeerHandle) {
        denied[device] = nil
        questions = questions.filter { $0.value.device != device }
    }

    /// The conversations in which somebody has taken too long.
    func overdue(at now: Instant) -> [ConversationID] {
        questions.filter { $0.value.until <= now }.map(\.key).sorted()
    }

    /// Forgets a conversation.
    mutating func forget(_ conversation: ConversationID) {
        readMarks.forget(conversation)
        retentionTakenOver.remove(conversation)
        questions[conversation] = nil
    }

    private mutating func deny(_ epochs: some Sequence<OperationID>, by device: PeerHandle) {
        denied[device, default: []].formUnion(epochs)
    }
}
