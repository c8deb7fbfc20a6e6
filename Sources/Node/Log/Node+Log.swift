import Conversations
import Logging
import NodeCore
import OperationLog
import Storage
import Time

/// What the log says, in words. People and conversations have their ids there: a log goes to places where no name has
/// any business.
extension Node {
    /// How long a disk that fails is told once.
    private static let diskInterval: Duration = .seconds(600)
    /// How long two people of one name are told once.
    private static let nameInterval: Duration = .seconds(86_400)

    /// Writes what a transition had to say.
    func log(_ event: Diagnostic) { log(line(for: event)) }

    /// Writes a line, unless it says nothing new.
    func log(_ line: LogLine) {
        // What is only for those who look closely comes whole.
        guard line.level >= .notice else {
            return logger.log(level: line.level, "\(line.message)", metadata: line.metadata)
        }
        guard let omitted = repeatedLines.take(line.key, for: line.interval, at: now) else { return }
        let count: Logger.Metadata = omitted > 0 ? ["omitted": "\(omitted)"] : [:]
        logger.log(level: line.level, "\(line.message)", metadata: line.metadata.merging(count) { $1 })
    }

    private func line(for event: Diagnostic) -> LogLine {
        switch event {
        case .connected(let peer, let isOutgoing):
            LogLine(.info, "connected", named(peer, ["outgoing": "\(isOutgoing)"]))
        case .connectionEnded(let peer, let reason):
            LogLine(.info, "a connection ended", named(peer, ["reason": "\(reason)"]))
        case .connectionClosed(let peer, let reason):
            LogLine(.notice, "a connection was closed", named(peer, ["reason": "\(reason)"]))
        case .banned(let device, let peer):
            LogLine(
                .warning, "a device broke the protocol and is refused for ten minutes",
                named(peer, ["device": "\(device)"]))
        case .batchRefused(let error): refusal("a batch was refused", error)
        case .chunkRefused(let error): refusal("a chunk of a file was refused", error)
        case .receiptRefused(let error): refusal("a receipt was refused", error)
        case .cardRefused(let error): refusal("a card was refused", error)
        case .receiptRelearned(let conversation):
            line(.notice, "this device had forgotten what it told others of its reading", in: conversation)
        case .operationIgnored(let operation, let reason):
            LogLine(
                .warning, "an operation was ignored for good",
                ["operation": "\(operation)", "reason": "\(reason.rawValue)"])
        case .notStored(let error): failure("received operations could not be stored", error.code.rawValue)
        case .notJudged(let error): failure("received operations could not be judged", error.logCode)
        case .notServed(let error): failure("operations could not be read", error.code)
        case .personNotKept(let error): failure("what a person shows could not be kept", error.code)
        case .notErased(let error): failure("what has expired could not be erased", error.code)
        case .namesakes(let one, let other, let isStranger):
            // Strangers are forgotten when they go: with every start each of them would be news.
            LogLine(
                isStranger ? .info : .warning, "two people have one name",
                ["one": "\(one)", "other": "\(other)"], once: Self.nameInterval)
        case .forked(let device):
            LogLine(
                .warning, "a device forked its chain: two copies of one home wrote",
                ["peer": "\(device.user)", "device": "\(device.id)"])
        case .homeCopied(let operation):
            LogLine(
                .error, "\(NodeError.homeCopied.message). \(NodeError.homeCopied.hint ?? "")",
                ["operation": "\(operation)"])
        case .deviceTakenOut:
            LogLine(.error, "\(NodeError.deviceTakenOut.message). \(NodeError.deviceTakenOut.hint ?? "")")
        case .deviceCertified:
            LogLine(.notice, "this host is a device of its user now, and writes")
        case .deviceNotCertified(let error):
            failure("this host could not become a device of its user", error.code.rawValue)
        case .stalled(let conversation, let peer):
            LogLine(
                .info, "sync made no progress; another peer is asked",
                named(peer, ["conversation": "\(conversation)"]))
        case .costly(let conversation): line(.warning, "decisions cost so much that new ones wait", in: conversation)
        case .keyMissing(let epoch):
            LogLine(.warning, "a key does not open; it is asked for again", ["epoch": "\(epoch)"])
        case .keyReplaced(let counter): LogLine(.info, "this device has a new key", ["counter": "\(counter)"])
        case .keysErased(let conversation, let count):
            line(.info, "keys that no message needs were erased", in: conversation, ["keys": "\(count)"])
        case .clockDiffers(let device, let ahead): clockLine(device, ahead: ahead)
        case .ratified(let conversation): line(.info, "ratified the members after an admin left", in: conversation)
        }
    }

    private func line(
        _ level: Logger.Level, _ message: String, in conversation: ConversationID, _ metadata: Logger.Metadata = [:]
    ) -> LogLine {
        LogLine(level, message, metadata.merging(["conversation": "\(conversation)"]) { $1 })
    }

    private func refusal(_ message: String, _ error: MalformedBytes) -> LogLine {
        LogLine(.warning, message, ["reason": "\(error)", "code": "\(error.code)"])
    }

    private func failure(_ message: String, _ code: String) -> LogLine {
        LogLine(.error, message, ["code": "\(code)"], once: Self.diskInterval)
    }

    private func clockLine(_ device: DeviceID, ahead: Int64) -> LogLine {
        let user = core.clockSkews[device]?.device.user
        return LogLine(
            .warning, "the clock of a device differs from this host's",
            ["device": "\(device)", "seconds_ahead": "\(ahead / 1_000)"]
                .merging(user.map { ["peer": "\($0)"] } ?? [:]) { $1 })
    }

    /// Adds who a peer is, and where.
    private func named(_ peer: Diagnostic.Peer, _ metadata: Logger.Metadata) -> Logger.Metadata {
        var all = metadata
        if let device = peer.device {
            all["peer"] = "\(device.user)"
            all["device"] = all["device"] ?? "\(device.id)"
        }
        if let place = peer.place { all["address"] = "\(place)" }
        return all
    }
}
