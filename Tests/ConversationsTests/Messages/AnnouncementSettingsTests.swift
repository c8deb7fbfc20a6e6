import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Conversations

@Suite("What sets who writes")
struct AnnouncementSettingsTests {
    private static let count = 400

    private func heads(_ number: Int) -> [OperationID] {
        [OperationID(digest: .hash("heads", [UInt8(number & 255), UInt8(number >> 8)]))]
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `is the last that counts, whatever became void and effective again`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // In no order that has to do with their places.
        let ranks = Array(0..<40).shuffled(using: &random)
        var settings = AnnouncementSettings()
        var effective: Set<Int> = []
        for _ in 0..<200 {
            let place = Int.random(in: 0..<40, using: &random)
            let isEffective = Bool.random(using: &random)
            settings.judge(place, isEffective: isEffective) { ranks[$0] > ranks[$1] }
            if isEffective { effective.insert(place) } else { effective.remove(place) }
            for end in [10, 40] {
                let counts = { (place: Int) in place < end && effective.contains(place) }
                let last = effective.filter { $0 < end }.max { ranks[$0] < ranks[$1] }
                #expect(settings.last(at: heads(end)) == nil)
                #expect(settings.last(at: heads(end), where: counts) == last)
                #expect(settings.last(at: heads(end)) == .some(last))
            }
        }
    }

    /// A decision can make thousands void, and the next one effective again.
    @Test func `costs a search for each that becomes effective again, and not a look at all`() {
        var (settings, questions) = (AnnouncementSettings(), 0)
        for isEffective in [true, false, true] {
            for place in 0..<Self.count {
                settings.judge(place, isEffective: isEffective) {
                    questions += 1
                    return $0 > $1
                }
            }
        }
        #expect(questions <= 2 * Self.count * 9, "\(questions) questions about \(Self.count) settings")
    }

    @Test func `is looked for once for all messages under the same heads`() {
        var (settings, looks) = (AnnouncementSettings(), 0)
        for place in 0..<Self.count { settings.judge(place, isEffective: true) { $0 > $1 } }
        for _ in 0..<Self.count where settings.last(at: heads(0)) == nil {
            _ = settings.last(at: heads(0)) { _ in
                looks += 1
                return false
            }
        }
        #expect(looks == Self.count)
    }
}
