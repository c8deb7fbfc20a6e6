import OperationLog
import Replication
import Time

/// What this device still wants of its user's other devices.
///
/// What others wrote before this device was linked was sealed to those. They pass on the keys, how far the user has
/// read, and what the user keeps for themselves.
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
    /// The keys that a device asked for and that were not here, while the connection lasts: it is given them once they
    /// are.
    private var owed: [PeerHandle: [ConversationID: Set<OperationID>]] = [:]
    /// How far the user has read what has not come here yet.
    var readMarks = AwaitedReadMarks()
    /// Where what was read on another device could not be stored, or what was read here not told, and when that is
    /// tried again.
    private var postponed: [ConversationID: Instant] = [:]
    /// Makes what the user keeps for themselves equal on all of their devices.
    var privateExchange = PrivateExchange()
    /// The conversations of which nothing was here when another device said how long it keeps them, and that are kept
    /// so long therefore.
    var retentionTakenOver: Set<ConversationID> = []

    /// When the record is to be settled that a device has shown, whether it has introduced itself or not.
    var settlesRecordAt: Instant?

    /// When somebody who was asked has taken too long, something is tried again or settled, or another device is to
    /// hear or to be asked something.
    var nextDeadline: Instant? {
        [
            questions.values.lazy.map(\.until).min(), postponed.values.min(), privateExchange.nextDeadline,
            settlesRecordAt,
        ]
        .compactMap { $0 }.min()
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
    ///
    /// - Parameters:
    ///   - named: the epochs of which it says something. Where none of them was asked for now, it is what was owed
    ///     since an earlier question.
    ///   - epochs: those of which it gave the key.
    mutating func answered(
        _ epochs: some Sequence<OperationID>, of named: [OperationID], by device: PeerHandle,
        in conversation: ConversationID
    ) {
        guard let question = questions[conversation], question.device == device,
            named.isEmpty || named.contains(where: question.epochs.contains)
        else { return }
        questions[conversation] = nil
        deny(Set(question.epochs).subtracting(epochs), by: device)
    }

    /// Waits no longer for an answer: all that is lacking has come in another way, sealed once more for this device.
    mutating func endQuestion(in conversation: ConversationID) { questions[conversation] = nil }

    /// Forgets what a connection told that is over: on the next one the device is asked once more.
    mutating func lose(_ device: PeerHandle) {
        denied[device] = nil
        owed[device] = nil
        questions = questions.filter { $0.value.device != device }
    }

    /// The conversations in which somebody has taken too long.
    func overdue(at now: Instant) -> [ConversationID] {
        questions.filter { $0.value.until <= now }.map(\.key).sorted()
    }

    // MARK: - What others wait for

    /// Remembers what a device asked for and did not get; once it waits for very much, it has to ask again.
    mutating func owe(_ epochs: some Sequence<OperationID>, of conversation: ConversationID, to device: PeerHandle) {
        let count = owed[device]?.values.reduce(0) { $0 + $1.count } ?? 0
        owed[device, default: [:]][conversation, default: []]
            .formUnion(epochs.prefix(max(0, Self.maximumOwed - count)))
    }

    /// Keys that a device waits for at most, of all conversations.
    private static let maximumOwed = 1 << 14

    /// Who waits for keys of a conversation that are here now; they wait no longer.
    mutating func settle(
        _ conversation: ConversationID, holding isHeld: (OperationID) -> Bool
    ) -> [(device: PeerHandle, epochs: [OperationID])] {
        owed.keys.sorted().compactMap { device in
            guard let epochs = owed[device]?[conversation]?.filter(isHeld), !epochs.isEmpty else { return nil }
            owed[device]?[conversation]?.subtract(epochs)
            return (device, epochs.sorted())
        }
    }

    /// Remembers that what was read could not be stored, or not told.
    mutating func postpone(_ conversation: ConversationID, at now: Instant) {
        postponed[conversation] = now + Self.timeout
    }

    /// The conversations in which that is to be tried again now.
    mutating func duePostponed(at now: Instant) -> [ConversationID] {
        let due = postponed.filter { $0.value <= now }.keys.sorted()
        for conversation in due { postponed[conversation] = nil }
        return due
    }

    /// Forgets a conversation.
    mutating func forget(_ conversation: ConversationID) {
        for device in owed.keys { owed[device]?[conversation] = nil }
        readMarks.forget(conversation)
        postponed[conversation] = nil
        retentionTakenOver.remove(conversation)
        questions[conversation] = nil
    }

    private mutating func deny(_ epochs: some Sequence<OperationID>, by device: PeerHandle) {
        denied[device, default: []].formUnion(epochs)
    }
}
