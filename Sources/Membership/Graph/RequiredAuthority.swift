/// The authority behind an operation: a grant and how much must be left of it.
///
/// For a join it is the inviter's grant: a pending invite dies with the authority of whoever gave it.
struct RequiredAuthority: Hashable, Sendable {
    let grant: GrantNumber
    let need: Role
}
