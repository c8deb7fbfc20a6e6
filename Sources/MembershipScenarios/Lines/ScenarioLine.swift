import FoundationEssentials

/// A line as JSON has it, before anything is made of its operations.
struct ScenarioLine: Decodable {
    let capacity: Int?
    let ops: [OperationRecord]
    let content: [ContentRecord]?

    private enum CodingKeys: CodingKey {
        case capacity, ops, content
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        do {
            capacity = try fields.decodeIfPresent(Int.self, forKey: .capacity)
        } catch {
            // For a number that is not whole the decoder does not say where it is.
            throw MalformedScenario.wrongKind(field: CodingKeys.capacity.stringValue, expected: "a whole number")
        }
        ops = try fields.decode([OperationRecord].self, forKey: .ops)
        content = try fields.decodeIfPresent([ContentRecord].self, forKey: .content)
    }

    /// Reads a line.
    init(decoding bytes: [UInt8]) throws(MalformedScenario) {
        // The decoder would look only at the strings it is asked for.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUnicode }
        // With a zero among the first bytes the decoder would guess another encoding; no JSON text in UTF-8 has one.
        guard !bytes.contains(0) else { throw .notJSON }
        do {
            self = try JSONDecoder().decode(ScenarioLine.self, from: Data(bytes))
        } catch let malformed as MalformedScenario {
            throw malformed
        } catch let error as DecodingError {
            throw MalformedScenario(describing: error)
        } catch {
            throw .notJSON
        }
    }
}

extension MalformedScenario {
    /// Says what the decoder found wrong, and where.
    fileprivate init(describing error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self = .missingField(Self.path(context.codingPath + [key]))
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            self = .wrongKind(field: Self.path(context.codingPath), expected: Self.kind(of: type))
        case .dataCorrupted: self = .notJSON
        @unknown default: self = .notJSON
        }
    }

    /// The way to a field, such as `ops[3].parents[0]`.
    static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce("") { path, key in
            if let place = key.intValue { return "\(path)[\(place)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }

    private static func kind(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is any RandomAccessCollection.Type: "a list"
        default: "an object"
        }
    }
}
