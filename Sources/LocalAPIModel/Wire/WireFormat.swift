import FoundationEssentials

/// How values become JSON and come back: the one place that knows about keys, escaping and order.
///
/// Keys are `snake_case` and sorted, so equal values are equal bytes. Ids are lowercase hexadecimal; times are RFC 3339
/// with milliseconds in UTC.
public enum WireFormat {
    /// Writes a value as one line of JSON.
    ///
    /// - Throws: ``UnreadableJSON`` if the value has no JSON form, such as a number that is not finite.
    public static func encode(_ value: some Encodable) throws(UnreadableJSON) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw UnreadableJSON(describing: error)
        }
    }

    /// Reads a value that the node wrote. Fields this version does not know are skipped, so an older command
    /// understands a newer node.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(UnreadableJSON) -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw UnreadableJSON(describing: error)
        }
    }

    /// Reads what a client asks for. A field that the request does not have is an error, not silence: a misspelt
    /// `archive` must not become a request without it.
    package static func decodeRequest<Value: RequestFields>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(UnreadableJSON) -> Value {
        do {
            let value = try JSONDecoder().decode(Strict<Value>.self, from: Data(bytes)).value
            // Which of the two the decoder took is chance, and what the client meant is unknown.
            if let key = DuplicateKey.find(in: bytes) {
                throw UnreadableJSON(sentence: "The field \"\(key.prefix(64))\" is there twice")
            }
            return value
        } catch let error as UnreadableJSON {
            throw error
        } catch {
            throw UnreadableJSON(describing: error)
        }
    }
}

/// A request body read only after all its fields turned out to be known ones.
private struct Strict<Value: RequestFields>: Decodable {
    let value: Value

    private struct AnyField: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let known = Value.CodingKeys.allCases.map(\.stringValue)
        let fields = try decoder.container(keyedBy: AnyField.self)
        let given = fields.allKeys.map(\.stringValue)
        if let stranger = given.filter({ !known.contains($0) }).min() {
            throw UnreadableJSON(
                sentence:
                    "There is no field \"\(stranger.prefix(64))\" here; there are: \(known.joined(separator: ", "))")
        }
        value = try Value(from: decoder)
        // Who writes null may mean "take it away" or "leave it". A field that is left away means the second.
        for name in given.sorted() where !Value.nullable.contains(name) {
            guard try !fields.decodeNil(forKey: AnyField(stringValue: name)) else {
                throw UnreadableJSON(sentence: "The field \"\(name)\" is null; leave it away instead")
            }
        }
    }
}
