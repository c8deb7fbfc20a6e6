import Cryptography
import Membership
import OperationLog
import Time

/// What an operation of the membership lane says, as it is in the operation's body.
///
/// The author and the parents are in the header. Credentials travel with the operations that need them, so that a
/// newcomer can check every signature, and seal to everybody, from the lane alone.
public enum MembershipBody: Hashable, Sendable {
    /// The grant an operation acts under.
    public enum Authority: Hashable, Sendable {
        /// The author is the acting admin of the operation's past.
        case acting
        /// A grant, named by the operation that made it and its slot.
        case grant(operation: OperationID, slot: UInt64)
    }

    /// A person to whom a `ratify` grants a role again.
    public struct Keep: Hashable, Sendable {
        /// The person.
        public let user: UserID
        /// The role, below admin.
        public let role: Role

        /// Names a person to keep.
        public init(user: UserID, role: Role) {
            self.user = user
            self.role = role
        }
    }

    /// A person whom a `ratify` bans again.
    public struct Ban: Hashable, Sendable {
        /// The person.
        public let user: UserID
        /// What they wrote before counts.
        public let pins: [Pin]

        /// Names a person to ban.
        public init(user: UserID, pins: [Pin]) {
            self.user = user
            self.pins = pins
        }
    }

    /// For whom an invite is.
    public enum Invitee: Hashable, Sendable {
        /// A person who is known.
        case person(Credentials)
        /// Whoever first proves to hold a one-time key. Its inviter takes the invite back when that has happened, and
        /// at a time.
        case holder(of: VerifyingKey, until: Timestamp)

        /// The person, where it is one.
        public var user: UserID? {
            switch self {
            case .person(let credentials): credentials.user
            case .holder: nil
            }
        }
    }

    /// Starts a group; the nonce makes its id unique.
    case create(nonce: [UInt8], founder: Credentials)
    /// Makes people members at once.
    case add(under: Authority, targets: [Credentials])
    /// Offers membership.
    case invite(under: Authority, Invitee)
    /// Accepts an invite; with a proof, one by code.
    case join(invite: OperationID, own: Credentials, proof: InviteProof?)
    /// Turns an invite down.
    case decline(invite: OperationID)
    /// Takes an invite back.
    case cancel(under: Authority, invite: OperationID)
    /// Takes a person out.
    case remove(under: Authority, target: UserID, pins: [Pin])
    /// Grants a role.
    case promote(under: Authority, target: UserID, role: Role)
    /// Leaves a person with at most a role.
    case demote(under: Authority, target: UserID, role: Role)
    /// Writes a register.
    case set(under: Authority, field: String, value: String)
    /// Re-grants and re-bans under the author's own authority.
    case ratify(under: Authority, keep: [Keep], bans: [Ban])
    /// Introduces or renews the author's devices and their keys, and in a direct conversation those of the other person
    /// as the author knows them. It may carry tombstones of anybody's devices.
    case device(own: Credentials, other: Credentials? = nil, tombstones: [Tombstone] = [])
    /// Joins heads.
    case merge
    /// Gives up everything.
    case leave(pins: [Pin])
    /// Gives up everything above member.
    case stepdown
    /// Takes a device of a person out that was stolen, as the person's root says: what of it is not named is void, or
    /// not shown.
    case revoke(DeviceRevocation)

    /// The type that the header of such an operation names.
    public var type: OperationType {
        switch self {
        case .create: .create
        case .add: .add
        case .invite: .invite
        case .join: .join
        case .decline: .decline
        case .cancel: .cancel
        case .remove: .remove
        case .promote: .promote
        case .demote: .demote
        case .set: .set
        case .ratify: .ratify
        case .device: .device
        case .merge: .merge
        case .leave: .leave
        case .stepdown: .stepdown
        case .revoke: .revoke
        }
    }

    /// The devices certified and the people welcomed by such an operation of an author.
    public func introductions(by author: UserID) -> MembershipGraph.Introductions {
        switch self {
        case .create(_, let founder): Self.introductions(of: [founder])
        case .add(_, let targets): Self.introductions(of: targets)
        case .invite(_, .person(let target)): Self.introductions(of: [target])
        case .invite(_, .holder(let key, _)): MembershipGraph.Introductions(offeredKey: key)
        case .join(let invite, let own, let proof):
            MembershipGraph.Introductions(
                devices: own.identity.devices.map(\.device.id), users: proof == nil ? [] : [own.user],
                answer: .init(invite: invite, proof: proof))
        case .device(let own, let other, let tombstones):
            MembershipGraph.Introductions(
                devices: [own, other].flatMap { $0?.identity.devices.map(\.device.id) ?? [] }, tombstones: tombstones)
        case .revoke(let revocation): MembershipGraph.Introductions(tombstones: [revocation.tombstone])
        case .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge, .leave, .stepdown:
            MembershipGraph.Introductions()
        }
    }

    private static func introductions(of people: [Credentials]) -> MembershipGraph.Introductions {
        MembershipGraph.Introductions(
            devices: people.flatMap { $0.identity.devices.map(\.device.id) }, users: people.map(\.user))
    }
}
