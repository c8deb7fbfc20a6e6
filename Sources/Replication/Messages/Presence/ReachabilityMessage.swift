import OperationLog
import Time

/// ``PresenceMessage/reachability(_:_:)`` as bytes.
enum ReachabilityMessage: MessageKind {
    static let kind: UInt8 = 37
    static let purpose = MessagePurpose.liveness
    static let circle = MessageCircle.acquaintances
    /// The shortest encoding of a place with its code.
    private static let dialByteMinimum = 2

    static func write(_ question: UInt64, _ report: ReachabilityReport, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(number: question)
        writer.write(text: report.program)
        writer.write(number: UInt64(report.clock.milliseconds))
        writer.write(text: report.address)
        switch report.dialBack {
        case .notTried: writer.write(byte: 0)
        case .accepted: writer.write(byte: 1)
        case .failed(let code):
            writer.write(byte: 2)
            writer.write(text: code)
        }
        writer.write(byte: report.sendsBeacons ? 1 : 0)
        writer.write(byte: report.ownBeaconAge == nil ? 0 : 1)
        if let age = report.ownBeaconAge { write(age, to: &writer) }
        writer.write(byte: report.beacon == nil ? 0 : 1)
        if let beacon = report.beacon {
            writer.write(text: beacon.address)
            write(beacon.age, to: &writer)
        }
        writer.write(count: report.failedDials.count)
        for dial in report.failedDials {
            writer.write(text: dial.address)
            writer.write(text: dial.code)
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let question = try reader.number()
        let program = try word(of: "program", limit: ReachabilityReport.maximumProgramBytes, &reader)
        guard let clock = Timestamp(milliseconds: Int64(truncatingIfNeeded: try reader.number())) else {
            throw .invalid(field: "clock")
        }
        return .presence(
            .reachability(
                question,
                ReachabilityReport(
                    program: program, clock: clock, address: try address(&reader), dialBack: try dialBack(&reader),
                    sendsBeacons: try reader.flag(), ownBeaconAge: try reader.flag() ? try age(&reader) : nil,
                    beacon: try reader.flag()
                        ? .init(address: try address(&reader), age: try age(&reader)) : nil,
                    failedDials: try failedDials(&reader))))
    }

    private static func dialBack(
        _ reader: inout CanonicalReader
    ) throws(MalformedBytes) -> ReachabilityReport.DialBack {
        switch try reader.byte() {
        case 0: .notTried
        case 1: .accepted
        case 2: .failed(try code(&reader))
        default: throw .invalid(field: "dial back")
        }
    }

    private static func failedDials(
        _ reader: inout CanonicalReader
    ) throws(MalformedBytes) -> [ReachabilityReport.FailedDial] {
        let count = try reader.count(
            of: "failed dials", limit: ReachabilityReport.maximumDials, each: dialByteMinimum)
        var dials: [ReachabilityReport.FailedDial] = []
        dials.reserveCapacity(count)
        for _ in 0..<count { dials.append(.init(address: try address(&reader), code: try code(&reader))) }
        return dials
    }

    private static func address(_ reader: inout CanonicalReader) throws(MalformedBytes) -> String {
        let text = try reader.text(of: "address", limit: PeerAddress.maximumTextBytes)
        guard ReachabilityReport.isPlace(text) else { throw .invalid(field: "address") }
        return text
    }

    private static func code(_ reader: inout CanonicalReader) throws(MalformedBytes) -> String {
        try word(of: "error code", limit: ReachabilityReport.maximumCodeBytes, &reader)
    }

    /// What people read next to commands: no line break, and nothing that a shell takes for more than a letter.
    private static func word(
        of field: String, limit: Int, _ reader: inout CanonicalReader
    ) throws(MalformedBytes) -> String {
        let text = try reader.text(of: field, limit: limit)
        guard ReachabilityReport.isWord(text) else { throw .invalid(field: field) }
        return text
    }

    private static func write(_ age: Duration, to writer: inout CanonicalWriter) {
        writer.write(number: UInt64(age / .milliseconds(1)))
    }

    private static func age(_ reader: inout CanonicalReader) throws(MalformedBytes) -> Duration {
        let longest = Int(ReachabilityReport.maximumAge / .milliseconds(1))
        return .milliseconds(try reader.count(of: "age", limit: longest))
    }
}
