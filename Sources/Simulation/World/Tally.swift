/// A run in figures.
package struct Tally: Hashable, Sendable {
    /// Events that happened.
    package var events = 0
    /// Operations that nodes wrote.
    package var written = 0
    /// Operations that some node made durable, counted once for each node.
    package var deliveries = 0
    /// Commands that were refused, by the code of the refusal.
    package var refusals: [String: Int] = [:]
    /// What went wrong, by kind.
    package var faults: [String: Int] = [:]
    /// Messages and their bytes that nodes gave to channels; files are left out of the bytes.
    package var messages = 0
    package var sentBytes = 0
    /// Those of these bytes that were sent before anybody wrote: nodes met each other.
    package internal(set) var meetingBytes = 0
    /// All these messages, by kind.
    var messagesByKind = TrafficTally()
    /// What was sent in each part of the run.
    package internal(set) var traffic = TrafficReport()
    /// How soon messages were everywhere.
    package internal(set) var delays = DeliveryDelays()
    /// Microseconds of virtual time until the healed network was equal.
    package var healing = 0
    /// Checks that were made, by the number of the checker.
    package var checks: [Int: Int] = [:]

    mutating func count(_ fault: String) { faults[fault, default: 0] += 1 }
}
