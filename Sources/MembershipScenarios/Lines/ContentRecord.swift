/// A content operation as JSON has it.
struct ContentRecord: Decodable {
    let id: Name
    let author: Name
    let device: Name?
    let type: String
    /// The membership heads under which it was written.
    let heads: [Name]
    /// What is before it on the chain of its device.
    let after: Name?
}

extension [ContentRecord] {
    /// The content that is meant.
    ///
    /// - Parameter operations: those of the membership lane.
    func content(among operations: Set<Name>) throws(MalformedScenario) -> [ScenarioContent] {
        var lengths: [Name: Int] = [:]
        var content: [ScenarioContent] = []
        content.reserveCapacity(count)
        for record in self {
            guard lengths[record.id] == nil else { throw .repeatedOperation(record.id) }
            for head in record.heads where !operations.contains(head) { throw .missingParent(head, of: record.id) }
            guard let kind = ScenarioContent.Kind(rawValue: record.type) else {
                throw .unknownType(operation: record.id, type: record.type)
            }
            var place = 0
            if let after = record.after {
                guard let before = lengths[after] else { throw .missingParent(after, of: record.id) }
                place = before + 1
            }
            lengths[record.id] = place
            content.append(
                ScenarioContent(
                    id: record.id, author: record.author, device: record.device, kind: kind, heads: record.heads,
                    previous: record.after, place: place))
        }
        return content
    }
}
