import Foundation

/// Checks values against the part of JSON Schema 2020-12 that `openapi.json` uses, and one thing more: an object may
/// have only fields that are described.
///
/// A keyword that it does not know is a mistake in the document, not something to pass over.
struct Schema {
    /// Something in a value or in the document that is not as it should be, with its place.
    struct Mistake: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// The whole document, in which references lead.
    let document: [String: Any]

    /// Throws unless a value is what a schema describes.
    func check(_ value: Any, against schema: Any?, at place: String = "") throws {
        guard let schema = schema as? [String: Any] else { throw Mistake(description: "\(place): no schema") }
        if let reference = schema["$ref"] as? String {
            return try check(value, against: try resolve(reference), at: place)
        }
        for (keyword, wanted) in schema {
            try check(value, keyword: keyword, wanted, of: schema, at: place)
        }
    }

    /// A part of the document, or what it refers to.
    func resolved(_ part: Any) throws -> [String: Any] {
        guard let part = part as? [String: Any] else { throw Mistake(description: "\(part) is no object") }
        guard let reference = part["$ref"] as? String else { return part }
        guard let found = try resolve(reference) as? [String: Any] else {
            throw Mistake(description: "\(reference) leads to no object")
        }
        return found
    }

    /// What a reference like `#/components/schemas/Status` leads to.
    func resolve(_ reference: String) throws -> Any {
        var found: Any? = document
        for name in reference.split(separator: "/").dropFirst() {
            found = (found as? [String: Any])?[String(name)]
        }
        guard reference.hasPrefix("#/"), let found else { throw Mistake(description: "\(reference) leads nowhere") }
        return found
    }

    private func check(_ value: Any, keyword: String, _ wanted: Any, of schema: [String: Any], at place: String) throws
    {
        func fail(_ reason: String) throws -> Never { throw Mistake(description: "\(place): \(reason)") }
        switch keyword {
        case "description", "title", "x-enumDescriptions":
            break
        case "type":
            let types = wanted as? [String] ?? [wanted as? String].compactMap(\.self)
            guard !Set(types).isDisjoint(with: Self.type(of: value)) else { try fail("no \(wanted)") }
        case "properties":
            guard let properties = wanted as? [String: Any] else { try fail("no properties") }
            for (name, field) in value as? [String: Any] ?? [:] {
                if let described = properties[name] {
                    try check(field, against: described, at: "\(place).\(name)")
                } else if schema["additionalProperties"] == nil || schema["additionalProperties"] as? Bool == false {
                    try fail("the field \"\(name)\" is not described")
                }
            }
        case "additionalProperties":
            guard wanted as? Bool == nil else { break }
            let described = schema["properties"] as? [String: Any] ?? [:]
            for (name, field) in value as? [String: Any] ?? [:] where described[name] == nil {
                try check(field, against: wanted, at: "\(place).\(name)")
            }
        case "required":
            for name in wanted as? [String] ?? [] where (value as? [String: Any])?[name] == nil {
                try fail("the field \"\(name)\" is missing")
            }
        case "items":
            for (index, item) in (value as? [Any] ?? []).enumerated() {
                try check(item, against: wanted, at: "\(place)[\(index)]")
            }
        case "enum":
            guard let names = wanted as? [String], let text = value as? String, names.contains(text) else {
                try fail("\(value) is none of \(wanted)")
            }
        case "const":
            guard let wanted = wanted as? NSObject, wanted.isEqual(value) else { try fail("\(value) is not \(wanted)") }
        case "oneOf":
            let fitting = (wanted as? [Any] ?? []).filter { (try? check(value, against: $0, at: place)) != nil }
            guard fitting.count == 1 else { try fail("\(fitting.count) of the choices fit") }
        case "pattern":
            guard let pattern = wanted as? String, let text = value as? String,
                try Regex(pattern).firstMatch(in: text) != nil
            else { try fail("\(value) is not like \(wanted)") }
        case "format":
            try check(format: wanted as? String, of: value, at: place)
        case "minimum", "maximum":
            guard let bound = wanted as? Double else { try fail("no bound") }
            // As every keyword but "type", it says nothing about values of other types.
            guard let number = value as? Double else { break }
            guard keyword == "minimum" ? number >= bound : number <= bound else {
                try fail("\(value) is beyond \(keyword) \(wanted)")
            }
        case "minItems", "maxItems", "maxLength":
            guard let bound = wanted as? Int else { try fail("no bound") }
            let count = (value as? [Any])?.count ?? (value as? String)?.count ?? 0
            guard keyword == "minItems" ? count >= bound : count <= bound else { try fail("\(count) is out of bounds") }
        default:
            try fail("the keyword \(keyword) is not known here")
        }
    }

    private func check(format: String?, of value: Any, at place: String) throws {
        let text = value as? String ?? ""
        let fits =
            switch format {
            case "int32": (value as? NSNumber).flatMap { Int32(exactly: $0) } != nil
            case "int64": (value as? NSNumber).flatMap { Int64(exactly: $0) } != nil
            case "uint64": (value as? NSNumber).flatMap { UInt64(exactly: $0) } != nil
            case "date-time": text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
            case "uri": URL(string: text)?.scheme != nil
            default: false
            }
        guard fits else { throw Mistake(description: "\(place): \"\(value)\" is no \(format ?? "format")") }
    }

    /// The types that a value is of; a whole number is of two.
    private static func type(of value: Any) -> [String] {
        switch value {
        case is [String: Any]: ["object"]
        case is [Any]: ["array"]
        case is String: ["string"]
        case let number as NSNumber where isBoolean(number): ["boolean"]
        case let number as NSNumber:
            number.doubleValue.rounded() == number.doubleValue ? ["integer", "number"] : ["number"]
        default: ["null"]
        }
    }

    /// Whether a number was `true` or `false`: Foundation on Linux keeps them as numbers of one byte.
    private static func isBoolean(_ number: NSNumber) -> Bool {
        ["c", "B"].contains(String(cString: number.objCType))
    }
}
