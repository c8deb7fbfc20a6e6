import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Conversations

@Suite("What took somebody out, in order")
struct OrderedExitsTests {
    private static let devices = (0..<3).map { DeviceID(digest: .hash("device", [UInt8($0)])) }

    private static func id(_ name: StaticString, _ number: Int) -> OperationID {
        OperationID(digest: .hash(name, [UInt8(number & 255), UInt8(number >> 8)]))
    }

    private static func exit(_ number: Int, pinning pins: [DeviceID: Int]) -> Exits.Exit {
        let pins = pins.map { device, end in
            (device, Pin(device: device, sequenceNumber: UInt64(end), operation: id("content", end)))
        }
        return Exits.Exit(
            operation: id("exit", number), place: number, pins: Dictionary(uniqueKeysWithValues: pins))
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `is the first that was not seen and covers nothing`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let exits = (0..<20).map { number in
            let pinned = Self.devices.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            let pins = pinned.map { ($0, Int.random(in: 0..<5, using: &random)) }
            return Self.exit(number, pinning: Dictionary(uniqueKeysWithValues: pins))
        }
        let ordered = OrderedExits(exits)
        for device in Self.devices {
            let seen = Set((0..<20).filter { _ in Bool.random(using: &random) })
            let covering = Set((0..<5).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map(UInt64.init))
            let isCovered = { (pin: Pin) in covering.contains(pin.sequenceNumber) }
            let plain = exits.first { !seen.contains($0.place) && !($0.pins[device].map(isCovered) ?? false) }
            let found = ordered.earliest(
                concerning: device, isSeen: { seen.contains($0.place) }, isCovered: isCovered)
            #expect(found?.place == plain?.place)
        }
    }

    @Test func `asks once of thousands that pin the same whether that covers a message`() {
        let device = Self.devices[0]
        let exits = OrderedExits((0..<3_000).map { Self.exit($0, pinning: [device: $0 / 1_500]) })
        var (looks, questions) = (0, 0)
        let found = exits.earliest(
            concerning: device,
            isSeen: { _ in
                looks += 1
                return false
            },
            isCovered: { _ in
                questions += 1
                return true
            })
        #expect(found == nil && questions == 2 && looks <= 2)
    }
}
