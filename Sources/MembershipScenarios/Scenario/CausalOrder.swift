import Membership

extension [Scenario.Operation] {
    /// The same operations, each after its parents; those that are so already keep their order.
    ///
    /// - Throws: ``MalformedScenario`` if an id is there twice, a parent is not there, or an operation is its own
    ///   ancestor.
    /// - Complexity: O(*n* + *e*) in operations and parents.
    func inCausalOrder() throws(MalformedScenario) -> [Scenario.Operation] {
        let parents = try places()
        var marks = [Mark](repeating: .unseen, count: count)
        var ordered: [Scenario.Operation] = []
        ordered.reserveCapacity(count)
        // A chain may be as long as the line: the way back is kept in an array and not on the stack.
        var way: [(operation: Int, seen: Int)] = []
        for start in indices where marks[start] == .unseen {
            marks[start] = .open
            way.append((start, 0))
            while let (operation, seen) = way.last {
                guard seen < parents[operation].count else {
                    marks[operation] = .placed
                    ordered.append(self[operation])
                    way.removeLast()
                    continue
                }
                way[way.count - 1].seen += 1
                let parent = parents[operation][seen]
                switch marks[parent] {
                case .placed: break
                case .open: throw .circularParents(self[parent].id)
                case .unseen:
                    marks[parent] = .open
                    way.append((parent, 0))
                }
            }
        }
        return ordered
    }

    /// For each operation where its parents are.
    private func places() throws(MalformedScenario) -> [[Int]] {
        var places: [Name: Int] = [:]
        places.reserveCapacity(count)
        for (place, operation) in enumerated() {
            guard places.updateValue(place, forKey: operation.id) == nil else {
                throw .repeatedOperation(operation.id)
            }
        }
        var parents: [[Int]] = []
        parents.reserveCapacity(count)
        for operation in self {
            var found: [Int] = []
            for parent in operation.parents {
                guard let place = places[parent] else { throw .missingParent(parent, of: operation.id) }
                found.append(place)
            }
            parents.append(found)
        }
        return parents
    }
}

/// How far the search has come with an operation.
private enum Mark {
    /// Not met yet.
    case unseen
    /// Its ancestors are being placed.
    case open
    /// It follows all its ancestors.
    case placed
}
