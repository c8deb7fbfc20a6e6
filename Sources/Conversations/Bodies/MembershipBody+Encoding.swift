import Cryptography
import Membership
import OperationLog
import Time

extension MembershipBody {
    /// Bytes of the nonce of a `create`.
    public static let nonceByteCount = 16
    /// People whom one `add` or `ratify` may list; more are split over several operations.
    public static let maximumPeople = 256
    /// Bytes of the name of a register.
    public static let maximumFieldBytes = 64
    /// Bytes of the value of a register.
    public static let maximumValueBytes = 4_096
    /// Devices that a list of pins may name.
    public static let maximumPins = 512

    /// The canonical bytes.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        switch self {
        case .create(let nonce, let founder):
            writer.write(raw: nonce)
            founder.encode(into: &writer)
        case .add(let authority, let targets):
            writer.write(authority)
            writer.write(count: targets.count)
            for target in targets { target.encode(into: &writer) }
        case .invite(let authority, .person(let target)):
            writer.write(authority)
            writer.write(byte: 0)
            target.encode(into: &writer)
        case .invite(let authority, .holder(let key, let end)):
            writer.write(authority)
            writer.write(byte: 1)
            writer.write(raw: key.bytes)
            writer.write(number: UInt64(end.milliseconds))
        case .join(let invite, let own, let proof):
            writer.write(invite)
            own.encode(into: &writer)
            writer.write(byte: proof == nil ? 0 : 1)
            if let proof { writer.write(raw: proof.signature.bytes) }
        case .decline(let invite):
            writer.write(invite)
        case .cancel(let authority, let invite):
            writer.write(authority)
            writer.write(invite)
        case .remove(let authority, let target, let pins):
            writer.write(authority)
            writer.write(target)
            writer.write(pins)
        case .promote(let authority, let target, let role), .demote(let authority, let target, let role):
            writer.write(authority)
            writer.write(target)
            writer.write(role)
        case .set(let authority, let field, let value):
            writer.write(authority)
            writer.write(text: field)
            writer.write(text: value)
        case .ratify(let authority, let keep, let bans):
            writer.write(authority)
            writer.write(count: keep.count)
            for person in keep {
                writer.write(person.user)
                writer.write(person.role)
            }
            writer.write(count: bans.count)
            for ban in bans {
                writer.write(ban.user)
                writer.write(ban.pins)
            }
        case .device(let own, let other, let tombstones):
            own.encode(into: &writer)
            writer.write(count: other == nil ? 0 : 1)
            other?.encode(into: &writer)
            guard !tombstones.isEmpty else { break }
            writer.write(count: tombstones.count)
            for tombstone in tombstones { writer.write(raw: tombstone.encoded) }
        case .merge, .stepdown:
            break
        case .leave(let pins):
            writer.write(pins)
        case .revoke(let revocation):
            revocation.encode(into: &writer)
        }
        return writer.bytes
    }

    /// Reads the body of an operation of a known type of the membership lane; nil for a type this version does not
    /// know.
    ///
    /// - Parameter isVerified: whether the records it carries were verified when it came.
    /// - Complexity: a signature check for every record that is not verified.
    public static func decode(
        _ body: [UInt8], type: OperationType, isVerified: Bool = false
    ) throws(MalformedBytes) -> MembershipBody? {
        var reader = CanonicalReader(body, isVerified: isVerified)
        let decoded: MembershipBody
        switch type {
        case .create:
            decoded = .create(nonce: try reader.raw(nonceByteCount), founder: try Credentials(from: &reader))
        case .add:
            decoded = .add(under: try reader.authority(), targets: try reader.people())
        case .invite:
            decoded = .invite(under: try reader.authority(), try reader.invitee())
        case .join:
            decoded = .join(
                invite: try reader.identifier(), own: try Credentials(from: &reader), proof: try reader.proof())
        case .decline:
            decoded = .decline(invite: try reader.identifier())
        case .cancel:
            decoded = .cancel(under: try reader.authority(), invite: try reader.identifier())
        case .remove:
            decoded = .remove(under: try reader.authority(), target: try reader.identifier(), pins: try reader.pins())
        case .promote:
            decoded = .promote(under: try reader.authority(), target: try reader.identifier(), role: try reader.role())
        case .demote:
            decoded = .demote(under: try reader.authority(), target: try reader.identifier(), role: try reader.role())
        case .set:
            decoded = .set(
                under: try reader.authority(), field: try reader.text(of: "field", limit: maximumFieldBytes),
                value: try reader.text(of: "value", limit: maximumValueBytes))
        case .ratify:
            decoded = .ratify(under: try reader.authority(), keep: try reader.keeps(), bans: try reader.bans())
        case .device:
            decoded = .device(
                own: try Credentials(from: &reader), other: try reader.other(),
                tombstones: try reader.tombstones(in: body))
        case .merge:
            decoded = .merge
        case .leave:
            decoded = .leave(pins: try reader.pins())
        case .stepdown:
            decoded = .stepdown
        case .revoke:
            decoded = .revoke(try DeviceRevocation(from: &reader))
        default:
            return nil
        }
        try reader.finish()
        return decoded
    }

    /// What admission needs to know of a membership operation: see ``ConversationLog``.
    ///
    /// A record that an operation carries for its author must be the author's own, and a revocation of a device signed
    /// for the conversation.
    @Sendable
    public static func introductions(
        of operation: Operation
    ) throws(MalformedBytes) -> MembershipGraph.Introductions {
        try introductions(of: operation, isVerified: false)
    }

    /// What admission needed to know of a membership operation, whose body was verified then.
    public static func introductions(
        ofStored operation: Operation
    ) throws(MalformedBytes) -> MembershipGraph.Introductions {
        try introductions(of: operation, isVerified: true)
    }

    private static func introductions(
        of operation: Operation, isVerified: Bool
    ) throws(MalformedBytes) -> MembershipGraph.Introductions {
        guard let body = operation.body else { throw .truncated }
        guard let decoded = try decode(body, type: operation.header.type, isVerified: isVerified) else {
            return .init()
        }
        switch decoded {
        case .create(_, let own), .join(_, let own, _), .device(let own, _, _):
            guard own.user == operation.author.user else { throw .invalid(field: "identity record") }
        case .revoke(let revocation):
            guard isVerified || operation.header.conversation.map(revocation.isSigned(for:)) == true else {
                throw .signature(field: "revocation")
            }
        case .add, .invite, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge, .leave, .stepdown:
            break
        }
        return decoded.introductions(by: operation.author.user)
    }
}

extension CanonicalWriter {
    fileprivate mutating func write(_ authority: MembershipBody.Authority) {
        switch authority {
        case .acting:
            write(byte: 0)
        case .grant(let operation, let slot):
            write(byte: 1)
            write(operation)
            write(number: slot)
        }
    }

    fileprivate mutating func write(_ role: Role) {
        write(byte: UInt8(role.rawValue))
    }

    fileprivate mutating func write(_ pins: [Pin]) {
        write(count: pins.count)
        for pin in pins {
            write(pin.device)
            write(number: pin.sequenceNumber)
            write(pin.operation)
        }
    }
}

extension CanonicalReader {
    fileprivate mutating func authority() throws(MalformedBytes) -> MembershipBody.Authority {
        switch try byte() {
        case 0: .acting
        case 1: .grant(operation: try identifier(), slot: try number())
        default: throw .invalid(field: "authority")
        }
    }

    fileprivate mutating func invitee() throws(MalformedBytes) -> MembershipBody.Invitee {
        switch try byte() {
        case 0: return .person(try Credentials(from: &self))
        case 1:
            let key = try verifyingKey(of: "invite key")
            guard key.isValidPoint else { throw .invalid(field: "invite key") }
            guard let milliseconds = Int64(exactly: try number()), let end = Timestamp(milliseconds: milliseconds)
            else { throw .invalid(field: "time") }
            return .holder(of: key, until: end)
        default: throw .invalid(field: "invitee")
        }
    }

    fileprivate mutating func proof() throws(MalformedBytes) -> InviteProof? {
        switch try byte() {
        case 0: nil
        case 1: InviteProof(signature: try signature())
        default: throw .invalid(field: "proof")
        }
    }

    fileprivate mutating func role() throws(MalformedBytes) -> Role {
        guard let role = Role(rawValue: Int8(clamping: try byte())) else { throw .invalid(field: "role") }
        return role
    }

    fileprivate mutating func people() throws(MalformedBytes) -> [Credentials] {
        var people: [Credentials] = []
        for _ in 0..<(try count(of: "targets", limit: MembershipBody.maximumPeople, each: 100)) {
            people.append(try Credentials(from: &self))
        }
        guard !people.isEmpty else { throw .invalid(field: "targets") }
        return people
    }

    fileprivate mutating func other() throws(MalformedBytes) -> Credentials? {
        try count(of: "others", limit: 1) == 0 ? nil : Credentials(from: &self)
    }

    /// The tombstones at the end of a `device`: nothing where there are none.
    fileprivate mutating func tombstones(in body: [UInt8]) throws(MalformedBytes) -> [Tombstone] {
        guard position < body.count else { return [] }
        var tombstones: [Tombstone] = []
        let count = try count(of: "tombstones", limit: Tombstones.maximumCount, each: Tombstone.byteCount)
        guard count > 0 else { throw .invalid(field: "tombstones") }
        for _ in 0..<count {
            let tombstone = try Tombstone(from: &self)
            if let last = tombstones.last, (last.user, last.device) >= (tombstone.user, tombstone.device) {
                throw .unsorted(field: "tombstones")
            }
            tombstones.append(tombstone)
        }
        return tombstones
    }

    fileprivate mutating func pins() throws(MalformedBytes) -> [Pin] {
        var pins: [Pin] = []
        for _ in 0..<(try count(of: "pins", limit: MembershipBody.maximumPins, each: 65)) {
            let pin = Pin(device: try identifier(), sequenceNumber: try number(), operation: try identifier())
            if let last = pins.last, (last.device, last.operation) >= (pin.device, pin.operation) {
                throw .unsorted(field: "pins")
            }
            pins.append(pin)
        }
        return pins
    }

    fileprivate mutating func keeps() throws(MalformedBytes) -> [MembershipBody.Keep] {
        var keeps: [MembershipBody.Keep] = []
        for _ in 0..<(try count(of: "keep", limit: MembershipBody.maximumPeople, each: 33)) {
            keeps.append(MembershipBody.Keep(user: try identifier(), role: try role()))
        }
        return keeps
    }

    fileprivate mutating func bans() throws(MalformedBytes) -> [MembershipBody.Ban] {
        var bans: [MembershipBody.Ban] = []
        for _ in 0..<(try count(of: "bans", limit: MembershipBody.maximumPeople, each: 33)) {
            bans.append(MembershipBody.Ban(user: try identifier(), pins: try pins()))
        }
        return bans
    }
}
