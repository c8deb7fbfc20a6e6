import OperationLog

/// Who is writing a message in which conversation, as far as this node was told lately.
///
/// It reads no clock: times are durations since some start. All of this is in memory only, and nobody is listed for
/// longer than ``lifetime`` after they were last heard.
public struct TypingIndicators: Hashable, Sendable {
    /// How long somebody writes after they were last heard.
    public static let lifetime: Duration = .seconds(3)
    /// How often a device is heard at most.
    public static let interval: Duration = .seconds(1)
    /// How often a device speaks at most: a little less often than it is heard, so that what one was late by does not
    /// cost the next.
    public static let pace: Duration = .milliseconds(1_250)
    /// Replica epochs of a device that are remembered; an honest one has one, or two after it was put back from a
    /// backup.
    private static let maximumReplicaEpochs = 4

    /// What became of a signal.
    public enum Outcome: Hashable, Sendable {
        /// It counts: its author writes now, which is news or not.
        case heard(isNews: Bool)
        /// It, or a later one of the device, was heard before, or its author has sent since what they wrote.
        case outdated
        /// The device was heard less than ``interval`` ago.
        case tooSoon
    }

    /// Somebody who writes.
    private struct Typing: Hashable, Sendable {
        /// When they began.
        let since: Duration
        /// When they were last heard.
        var heard: Duration
        /// What their device had written when it said so.
        var written: UInt64
    }

    /// A replica's chain of signals.
    private struct Source: Hashable {
        let conversation: ConversationID
        let device: DeviceID
        let replicaEpoch: [UInt8]
    }

    private var typing: [ConversationID: [Device: Typing]] = [:]
    private var last: [Source: TypingSignal.Stamp] = [:]
    private var heard: [DeviceID: Duration] = [:]

    /// Nobody writes.
    public init() {}

    /// Takes in a signal of a member.
    ///
    /// What does not count changes nothing.
    ///
    /// - Parameter written: how many operations of the device in the content lane are held here.
    /// - Complexity: O(*n*) in the replicas heard in the conversation.
    public mutating func hear(
        _ signal: TypingSignal, in conversation: ConversationID, written: UInt64, at time: Duration
    ) -> Outcome {
        let source = Source(
            conversation: conversation, device: signal.device.id, replicaEpoch: signal.replicaEpoch)
        guard signal.stamp.written >= written else { return .outdated }
        if let known = last[source] {
            guard signal.stamp > known else { return .outdated }
        } else {
            let replicas = last.keys.count { $0.conversation == conversation && $0.device == signal.device.id }
            guard replicas < Self.maximumReplicaEpochs else { return .outdated }
        }
        if let heard = heard[signal.device.id], time - heard < Self.interval { return .tooSoon }
        last[source] = signal.stamp
        heard[signal.device.id] = time
        let people = people(in: conversation, at: time)
        let isGoingOn = people.contains(signal.device.user)
        let since = isGoingOn ? typing[conversation]?[signal.device]?.since : nil
        typing[conversation, default: [:]][signal.device] = Typing(
            since: since ?? time, heard: time, written: signal.stamp.written)
        return .heard(isNews: !isGoingOn)
    }

    /// Notes that a device has written an operation into the content lane: what it said before is over.
    ///
    /// - Returns: Whether this is news.
    public mutating func wrote(
        _ device: Device, sequenceNumber: UInt64, in conversation: ConversationID
    ) -> Bool {
        guard let known = typing[conversation]?[device], known.written < sequenceNumber else { return false }
        return forget(in: conversation) { $0 == device }
    }

    /// Notes who the members are: nobody else writes.
    ///
    /// - Returns: Whether this is news.
    public mutating func keep(in conversation: ConversationID, where isMember: (UserID) -> Bool) -> Bool {
        forget(in: conversation) { !isMember($0.user) }
    }

    private mutating func forget(in conversation: ConversationID, where isOver: (Device) -> Bool) -> Bool {
        guard let before = typing[conversation] else { return false }
        let after = before.filter { !isOver($0.key) }
        typing[conversation] = after.isEmpty ? nil : after
        return Set(after.keys.map(\.user)) != Set(before.keys.map(\.user))
    }

    /// Who writes, in the order in which they began; of those who began together, the smaller id first.
    public func people(in conversation: ConversationID, at time: Duration) -> [UserID] {
        var began: [UserID: Duration] = [:]
        for (device, state) in typing[conversation] ?? [:] where time - state.heard < Self.lifetime {
            began[device.user] = min(began[device.user] ?? state.since, state.since)
        }
        return began.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    /// Forgets who was not heard for ``lifetime``.
    ///
    /// - Returns: the conversations where fewer people write now, ascending.
    public mutating func expire(at time: Duration) -> [ConversationID] {
        heard = heard.filter { time - $0.value < Self.interval }
        var changed: [ConversationID] = []
        for conversation in typing.keys.sorted() {
            let over = Set((typing[conversation] ?? [:]).filter { time - $0.value.heard >= Self.lifetime }.keys)
            if forget(in: conversation, where: over.contains) { changed.append(conversation) }
        }
        return changed
    }

    /// When to ask for ``expire(at:)`` next; nil while nobody writes.
    public var nextExpiry: Duration? {
        typing.values.lazy.flatMap(\.values).map { $0.heard + Self.lifetime }.min()
    }

    /// Says who writes, as a line below a conversation does, harmless whatever they are called; nil for nobody.
    public static func sentence(about names: [String]) -> String? {
        // Of the others only the number is said.
        let shown = names.prefix(3).map(SanitizedText.line)
        return switch names.count {
        case 0: nil
        case 1: "\(shown[0]) is typing..."
        case 2: "\(shown[0]) and \(shown[1]) are typing..."
        case 3: "\(shown[0]), \(shown[1]), and \(shown[2]) are typing..."
        default: "\(shown[0]), \(shown[1]), and \(names.count - 2) others are typing..."
        }
    }
}
