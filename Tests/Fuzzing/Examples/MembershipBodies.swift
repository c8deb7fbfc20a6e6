import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures

extension Example {
    static var membershipBodies: [Example] {
        let grant = MembershipBody.Authority.grant(operation: Cast.creation.id, slot: 300)
        let bob = Cast.bob.user
        let pins = [Pin(device: Cast.bob.device, sequenceNumber: 2, operation: ids(1)[0])]
        let valid: [(String, MembershipBody)] = [
            ("create", .create(nonce: Array(repeating: 9, count: 16), founder: Cast.aliceCredentials)),
            ("add", .add(under: grant, targets: [Cast.bobCredentials, Cast.aliceCredentials])),
            ("invite", .invite(under: .acting, .person(Cast.bobCredentials))),
            ("join", .join(invite: Cast.creation.id, own: Cast.bobCredentials, proof: nil)),
            ("invite-by-code", .invite(under: .acting, .holder(of: Cast.bob.root.verifyingKey, until: Cast.time))),
            (
                "join-by-code",
                .join(
                    invite: Cast.creation.id, own: Cast.bobCredentials,
                    proof: InviteProof(
                        of: Cast.creation.id, to: Cast.conversation, for: Cast.bob.user, signedWith: Cast.alice.root))
            ),
            ("decline", .decline(invite: Cast.creation.id)),
            ("cancel", .cancel(under: grant, invite: Cast.creation.id)),
            ("remove", .remove(under: grant, target: bob, pins: pins)),
            ("promote", .promote(under: grant, target: bob, role: .admin)),
            ("demote", .demote(under: .acting, target: bob, role: .member)),
            ("set", .set(under: grant, field: "name", value: "Ship \u{1F6A2}")),
            (
                "ratify",
                .ratify(
                    under: grant, keep: [.init(user: bob, role: .moderator)], bans: [.init(user: bob, pins: pins)])
            ),
            ("device", .device(own: Cast.aliceCredentials, other: Cast.bobCredentials)),
            (
                "device-with-tombstones",
                .device(own: Cast.aliceCredentials, tombstones: tombstones)
            ),
            ("revoke", .revoke(revocation)),
            ("merge", .merge),
            ("leave", .leave(pins: pins)),
            ("stepdown", .stepdown),
        ]
        let name = Array(repeating: UInt8(ascii: "a"), count: 65)
        let promotion = body(.promote(under: .acting, target: bob, role: .admin))
        return valid.map { accepted(.membershipBody, $0, body($1)) } + [
            accepted(.membershipBody, "unknown-type", [77, 1, 2, 3]),
            refused(.membershipBody, "truncated", "create-without-founder", [1] + Array(repeating: 9, count: 16)),
            refused(.membershipBody, "trailing_bytes", "merge-and-a-zero", [13, 0]),
            refused(.membershipBody, "invalid_value", "authority-2", [6, 2] + Array(repeating: 0, count: 32)),
            refused(.membershipBody, "invalid_value", "invitee-2", [3, 0, 2]),
            refused(
                .membershipBody, "invalid_value", "invite-key-of-zeros",
                [3, 0, 1] + Array(repeating: 0, count: 32) + [0]),
            refused(
                .membershipBody, "invalid_value", "proof-2",
                body(.join(invite: Cast.creation.id, own: Cast.bobCredentials, proof: nil)).dropLast() + [2]),
            refused(.membershipBody, "invalid_value", "role-4", promotion.dropLast() + [4]),
            refused(.membershipBody, "invalid_value", "role-255", promotion.dropLast() + [255]),
            refused(.membershipBody, "invalid_value", "add-nobody", [2, 0, 0]),
            refused(.membershipBody, "too_long", "add-257", [2, 0, 0x81, 2]),
            refused(.membershipBody, "truncated", "add-256-who-are-not-there", [2, 0, 0x80, 2]),
            refused(.membershipBody, "truncated", "pins-that-are-not-there", [14, 0x80, 4]),
            refused(.membershipBody, "too_long", "513-pins", [14, 0x81, 4]),
            refused(.membershipBody, "unsorted", "the-same-pin-twice", body(.leave(pins: pins + pins))),
            refused(.membershipBody, "too_long", "field-of-65-bytes", [10, 0, 65] + name),
            refused(.membershipBody, "invalid_value", "value-that-is-not-utf8", [10, 0, 1, 0x61, 1, 0xFF]),
            refused(.membershipBody, "too_long", "value-above-the-limit", [10, 0, 1, 0x61, 0x81, 0x20]),
            refused(
                .membershipBody, "invalid_value", "device-with-no-tombstones-told",
                body(.device(own: Cast.aliceCredentials)) + [0]),
            refused(
                .membershipBody, "too_long", "257-tombstones",
                body(.device(own: Cast.aliceCredentials)) + [0x81, 2]),
            refused(
                .membershipBody, "unsorted", "the-same-tombstone-twice",
                body(.device(own: Cast.aliceCredentials, tombstones: [tombstones[0], tombstones[0]]))),
            refused(
                .membershipBody, "bad_signature", "forged-tombstone",
                body(.device(own: Cast.aliceCredentials, tombstones: tombstones)).withLastBitChanged),
            refused(
                .membershipBody, "invalid_value", "revocation-that-retires",
                [16] + Tombstone(root: Cast.alice.root, device: Cast.alice.device, kind: .retired).encoded),
            refused(
                .membershipBody, "too_long", "17-pins",
                [16] + Tombstone(root: Cast.alice.root, device: Cast.alice.device, kind: .revoked).encoded + [17]),
            refused(
                .membershipBody, "bad_signature", "device-with-a-forged-record",
                body(.device(own: Cast.aliceCredentials, other: Cast.bobCredentials)).withLastBitChanged),
        ]
    }

    private static var revocation: DeviceRevocation {
        DeviceRevocation(
            root: Cast.alice.root, of: Cast.alice.device, in: Cast.conversation, keeping: [Cast.creation.id],
            [Cast.creation.id])
    }

    /// Two devices that Alice took out, in the order of their ids.
    private static var tombstones: [Tombstone] {
        [Cast.alice.device, Cast.bob.device].sorted().map { device in
            Tombstone(root: Cast.alice.root, device: device, kind: device == Cast.alice.device ? .retired : .revoked)
        }
    }

    /// A body after its type, as the decoder takes it.
    static func body(_ body: MembershipBody) -> [UInt8] { [UInt8(body.type.rawValue)] + body.encoded }
}
