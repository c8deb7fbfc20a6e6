import Conversations
import Cryptography
import NodeCore
import OperationLog

/// What is known from outside of who typed: every signal that was really made, and which of them each node has heard.
///
/// It holds what went over the wires against what nodes made of it, and asks none of them.
struct TypingOracle {
    /// A signal that its author sent.
    struct SentSignal {
        let author: Int
        let conversation: ConversationID
        /// What the author knew of the membership.
        let heads: [OperationID]
        /// The hosts that honest ones gave it to.
        var recipients: Set<Int> = []
    }

    /// A process of a host: a new one remembers nothing.
    struct Process: Hashable {
        let host: Int
        let life: Int

        init(_ host: Host) { (self.host, life) = (host.index, host.life) }
    }

    /// What a process has heard.
    struct HeardSignals {
        var heard: Set<[UInt8]> = []
        /// What came from its author.
        var direct: Set<[UInt8]> = []
        /// What it passed on, to whom.
        var passed: [[UInt8]: Set<Int>] = [:]
        /// When each author was heard last, anywhere and in each conversation.
        var last: [Int: Int] = [:]
        var lastIn: [ConversationID: [Int: Int]] = [:]
        /// Who is shown to the user.
        var shown: [ConversationID: [UserID]] = [:]
    }

    var made: [[UInt8]: SentSignal] = [:]
    var heardSignals: [Process: HeardSignals] = [:]
    /// When each process last made one.
    var lastMade: [Process: Int] = [:]

    /// The host whose device a signal names; nil if it names none.
    static func author(of signal: [UInt8], among hosts: [Host]) -> Host? {
        guard signal.count > 96 else { return nil }
        let (user, key) = (Array(signal[32..<64]), Array(signal[64..<96]))
        return hosts.first { $0.user.digest.bytes == user && $0.keys.author.device.key.bytes == key }
    }

    /// The epoch that a signal names.
    static func epoch(of signal: [UInt8]) -> [UInt8] { Array(signal.prefix(32)) }
}
