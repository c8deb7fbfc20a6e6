import CTOML

/// What a TOML file says, as far as settings go: keys with texts, numbers, yes or no, and lists of those.
package struct TOMLFile: Equatable, Sendable {
    /// What a key is set to.
    package enum Value: Equatable, Sendable {
        case text(String)
        case integer(Int64)
        case boolean(Bool)
        case list([Value])
        /// What no setting is, with its name: "a date or a time".
        case other(String)
    }

    /// A setting.
    package struct Entry: Equatable, Sendable {
        /// With its tables: `files.quota`.
        package let key: String
        package fileprivate(set) var value: Value
        /// Where its value begins, counted from 1.
        package let line: Int
    }

    /// Why a text is no TOML.
    package struct SyntaxError: Error, Equatable {
        /// Counted from 1; nil where the error has no place.
        package let line: Int?
        package let column: Int?
        /// What is wrong there, and what may be there where the library knows it.
        package let reason: String
    }

    /// The settings, in the order of their keys.
    package private(set) var entries: [Entry] = []

    /// Dots and brackets of a text, at most. Each may nest a value once more, and the library descends into values:
    /// some ten thousand of them overflow the stack.
    package static let maximumNestings = 1_000

    /// Reads a text. Whoever calls bounds how long it is.
    ///
    /// - Throws: ``SyntaxError`` with its place.
    package init(parsing text: String) throws(SyntaxError) {
        try Self.checkNestings(in: text.utf8)
        var error = moot_toml_error()
        let isRead = text.utf8.map(CChar.init(bitPattern:)).withUnsafeBufferPointer { bytes in
            // Of a text without bytes there is no address, and nothing to read.
            guard let start = bytes.baseAddress else { return true }
            return withUnsafeMutablePointer(to: &entries) { entries in
                moot_toml_read(
                    start, bytes.count, { TOMLFile.take(context: $0, key: $1, count: $2, value: $3) }, entries, &error)
                    == 1
            }
        }
        guard isRead else { throw SyntaxError(error) }
    }

    private static func checkNestings(in bytes: String.UTF8View) throws(SyntaxError) {
        var (line, found) = (1, 0)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "{"): found += 1
            default: continue
            }
            guard found <= maximumNestings else {
                throw SyntaxError(
                    line: line, column: 1,
                    reason: "more than \(maximumNestings) dots and opening brackets are in the file")
            }
        }
    }

    /// Takes what the library found next.
    private static func take(
        context: UnsafeMutableRawPointer?, key: UnsafePointer<CChar>?, count: Int,
        value: UnsafePointer<moot_toml_value>?
    ) {
        guard let entries = context?.assumingMemoryBound(to: [Entry].self), let found = value?.pointee else { return }
        let value = Value(found)
        if let key {
            entries.pointee.append(Entry(key: text(key, count), value: value, line: Int(found.line)))
        } else if let last = entries.pointee.indices.last, case .list(let elements) = entries.pointee[last].value {
            entries.pointee[last].value = .list(elements + [value])
        }
    }

    fileprivate static func text(_ bytes: UnsafePointer<CChar>, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

extension TOMLFile.Value {
    fileprivate init(_ value: moot_toml_value) {
        let text = value.text.map { TOMLFile.text($0, value.count) } ?? ""
        switch value.kind {
        case .text: self = .text(text)
        case .integer: self = .integer(value.number)
        case .boolean: self = .boolean(value.number != 0)
        case .list: self = .list([])
        case .other: self = .other(text)
        }
    }
}

extension TOMLFile.SyntaxError {
    fileprivate init(_ error: moot_toml_error) {
        var reason = error.reason
        let bytes = withUnsafeBytes(of: &reason) { Array($0.prefix { $0 != 0 }) }
        line = error.line > 0 ? Int(error.line) : nil
        column = error.column > 0 ? Int(error.column) : nil
        self.reason = String(decoding: bytes, as: UTF8.self)
    }
}
