import OperationLog
import Time

extension NaiveLog {
    /// The hybrid time of every operation of a lane, in milliseconds since 1970: its claimed time, or 1 ms more
    /// than the largest hybrid time of its parents if that is later.
    package func hybridTimes(of lane: Lane) -> [OperationID: Int64] {
        operations(in: lane).reduce(into: [:]) { times, operation in
            let after = operation.header.parents.compactMap { times[$0] }.map { $0 + 1 }
            times[operation.id] = ([operation.header.time.milliseconds] + after).max()
        }
    }

    /// The messages in the order in which every replica that holds these operations shows them: by hybrid time,
    /// then id.
    package var messageOrder: [OperationID] {
        let times = hybridTimes(of: .content)
        return operations(in: .content).filter { $0.header.type == .message }.map(\.id)
            .sorted { (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1) }
    }

    /// The operations that are shown before something in their past, each with what it should follow.
    ///
    /// - Parameter shown: operations of either lane in the order in which a replica shows them. It need not show all
    ///   it holds.
    package func causalViolations(in shown: [OperationID]) -> [String] {
        var places: [OperationID: Int] = [:]
        for (place, id) in shown.enumerated() { places[id] = place }
        /// The last place at which an operation or anything in its past is shown.
        var lastPlaces: [OperationID: Int] = [:]
        var findings: [String] = []
        for operation in causalOrder {
            let before = operation.header.parents.compactMap { lastPlaces[$0] }.max()
            if let place = places[operation.id], let before, place < before {
                findings.append("\(name(operation)) is shown before \(short(shown[before])), which is in its past")
            }
            lastPlaces[operation.id] = [places[operation.id], before].compactMap(\.self).max()
        }
        return findings
    }
}
