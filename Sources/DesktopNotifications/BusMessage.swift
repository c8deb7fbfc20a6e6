import CDBus

/// A message of D-Bus, of as many types as notifications need.
///
/// libdbus aborts the process on text that is no UTF-8 or has a NUL in it; a Swift string is the one, and ends here at
/// the other.
final class BusMessage {
    /// What a message carries.
    indirect enum Value: Hashable {
        case text(String)
        case number(UInt32)
        case signed(Int32)
        case byte(UInt8)
        case flag(Bool)
        case texts([String])
        /// A dictionary of variants.
        case variants([String: Value])
    }

    let pointer: OpaquePointer

    /// Takes over a message that libdbus gave away.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Begins the call of a method; nil without memory or for a name that is none.
    init?(call method: String, of interface: String, at path: String, on destination: String) {
        guard let pointer = dbus_message_new_method_call(destination, path, interface, method) else { return nil }
        self.pointer = pointer
    }

    deinit {
        dbus_message_unref(pointer)
    }

    /// Who sent it: the unique name of a connection.
    var sender: String? { dbus_message_get_sender(pointer).map { String(cString: $0) } }

    /// Whether it is a signal.
    func isSignal(_ name: String, of interface: String) -> Bool {
        dbus_message_is_signal(pointer, interface, name) != 0
    }

    // MARK: - Arguments

    /// Appends arguments.
    ///
    /// - Returns: Whether there was memory for them.
    func append(_ values: [Value]) -> Bool {
        var end = DBusMessageIter()
        dbus_message_iter_init_append(pointer, &end)
        return values.allSatisfy { Self.append($0, to: &end) }
    }

    private static func append(_ value: Value, to end: inout DBusMessageIter) -> Bool {
        switch value {
        case .text(let text):
            return text.withCString { start in
                var start: UnsafePointer<CChar>? = start
                return dbus_message_iter_append_basic(&end, Code.text, &start) != 0
            }
        case .number(var number): return dbus_message_iter_append_basic(&end, Code.number, &number) != 0
        case .signed(var number): return dbus_message_iter_append_basic(&end, Code.signed, &number) != 0
        case .byte(var byte): return dbus_message_iter_append_basic(&end, Code.byte, &byte) != 0
        case .flag(let flag):
            var number: dbus_bool_t = flag ? 1 : 0
            return dbus_message_iter_append_basic(&end, Code.flag, &number) != 0
        case .texts(let texts):
            return contain(in: &end, Code.array, of: "s") { inner in
                texts.allSatisfy { append(.text($0), to: &inner) }
            }
        case .variants(let variants):
            return contain(in: &end, Code.array, of: "{sv}") { inner in
                variants.sorted { $0.key < $1.key }.allSatisfy { name, value in
                    contain(in: &inner, Code.entry, of: nil) { entry in
                        append(.text(name), to: &entry)
                            && contain(in: &entry, Code.variant, of: value.signature) { append(value, to: &$0) }
                    }
                }
            }
        }
    }

    private static func contain(
        in end: inout DBusMessageIter, _ kind: Int32, of signature: String?,
        _ fill: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&end, kind, signature, &inner) != 0 else { return false }
        let isFilled = fill(&inner)
        return dbus_message_iter_close_container(&end, &inner) != 0 && isFilled
    }

    /// The arguments, as far as they are texts, numbers and lists of texts; what comes after something else is left
    /// out.
    var arguments: [Value] {
        var place = DBusMessageIter()
        guard dbus_message_iter_init(pointer, &place) != 0 else { return [] }
        var values: [Value] = []
        repeat {
            guard let value = Self.value(at: &place) else { return values }
            values.append(value)
        } while dbus_message_iter_next(&place) != 0
        return values
    }

    private static func value(at place: inout DBusMessageIter) -> Value? {
        switch dbus_message_iter_get_arg_type(&place) {
        case Code.text:
            var start: UnsafePointer<CChar>?
            dbus_message_iter_get_basic(&place, &start)
            return start.map { .text(String(cString: $0)) }
        case Code.number:
            var number: UInt32 = 0
            dbus_message_iter_get_basic(&place, &number)
            return .number(number)
        case Code.signed:
            var number: Int32 = 0
            dbus_message_iter_get_basic(&place, &number)
            return .signed(number)
        case Code.array where dbus_message_iter_get_element_type(&place) == Code.text:
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&place, &inner)
            var texts: [String] = []
            while case .text(let text)? = value(at: &inner) {
                texts.append(text)
                dbus_message_iter_next(&inner)
            }
            return .texts(texts)
        case Code.array where dbus_message_iter_get_element_type(&place) == Code.entry:
            // Nothing that comes to a client has a dictionary in it; that one was there is enough to go on behind it.
            return .variants([:])
        default:
            return nil
        }
    }

    /// The codes of types in signatures, which are casts in C and invisible to Swift.
    private enum Code {
        static let text = Int32(UInt8(ascii: "s"))
        static let number = Int32(UInt8(ascii: "u"))
        static let signed = Int32(UInt8(ascii: "i"))
        static let byte = Int32(UInt8(ascii: "y"))
        static let flag = Int32(UInt8(ascii: "b"))
        static let array = Int32(UInt8(ascii: "a"))
        static let variant = Int32(UInt8(ascii: "v"))
        static let entry = Int32(UInt8(ascii: "e"))
    }
}

extension BusMessage.Value {
    /// The type as D-Bus writes it.
    fileprivate var signature: String {
        switch self {
        case .text: "s"
        case .number: "u"
        case .signed: "i"
        case .byte: "y"
        case .flag: "b"
        case .texts: "as"
        case .variants: "a{sv}"
        }
    }
}
