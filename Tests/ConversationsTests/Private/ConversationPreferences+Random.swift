import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Time

extension ConversationPreferences {
    /// States of as many devices of one user, which wrote concurrently and told each other some of it, with more tags
    /// than are remembered.
    static func related(_ count: Int, using random: inout SplitMix64) throws -> [ConversationPreferences] {
        var states = Array(repeating: ConversationPreferences(), count: count)
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let index = Int.random(in: 0..<count, using: &random)
            if Int.random(in: 0..<6, using: &random) == 0 {
                states[index].merge(states[Int.random(in: 0..<count, using: &random)])
                continue
            }
            let time = Timestamp(clamping: 1_800_000_000_000 + Int64.random(in: 0...20, using: &random))
            // A device that lies writes as another one, and so twice with one stamp.
            let isLying = Int.random(in: 0..<4, using: &random) == 0
            let device = DeviceID(digest: .hash("moot/1/test", [isLying ? 0 : UInt8(index)]))
            do {
                try states[index].apply(.random(using: &random), at: time, by: device)
            } catch .tags {
                var change = ConversationPreferencesUpdate()
                change.tags = []
                try states[index].apply(change, at: time, by: device)
            }
        }
        return states
    }
}

extension ConversationPreferencesUpdate {
    fileprivate static func random(using random: inout SplitMix64) -> ConversationPreferencesUpdate {
        var change = ConversationPreferencesUpdate()
        if Bool.random(using: &random) { change.pinned = .random(using: &random) }
        if Bool.random(using: &random) {
            change.archiving = [.byItself, .archived, .kept].randomElement(using: &random)
        }
        if Bool.random(using: &random) { change.muting = .random(using: &random) }
        if Bool.random(using: &random) { change.sharesReads = .random(using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 { change.asksWhenAdded = .random(using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            change.consentsTo = OperationID(digest: .hash("moot/1/test", [UInt8.random(in: 0...3, using: &random)]))
        }
        if Bool.random(using: &random) { change.draft = ["", "Ahoy", "é"].randomElement(using: &random) }
        let tags = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0..<150, using: &random) }
        let named = Set(tags).sorted().compactMap { Tag("tag \($0)") }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: change.tags = named
        case 1: change.addedTags = named
        default: change.removedTags = named
        }
        return change
    }
}

extension ConversationPreferencesUpdate.Muting {
    fileprivate static func random(using random: inout SplitMix64) -> Self {
        let end = Timestamp(clamping: 1_800_000_000_000 + Int64.random(in: 0...20, using: &random))
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: .off
        case 1: .on(Mute(until: nil, allowsMentions: .random(using: &random)))
        default: .on(Mute(until: end, allowsMentions: .random(using: &random)))
        }
    }
}
