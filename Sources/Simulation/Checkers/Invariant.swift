/// What the simulator holds every run against. The numbers are those of the table in docs/testing.md.
package enum Invariant: Int, Hashable, Codable, Sendable, CaseIterable {
    /// Equal sets of operations give equal state.
    case equalSetsEqualState = 1
    /// Any order of delivery gives the same state.
    case anyOrder = 2
    /// What is delivered again changes nothing.
    case repetition = 3
    /// Nothing that was acknowledged is lost.
    case durability = 4
    /// A log has no gaps and nothing in it that may not be there.
    case wholeLogs = 5
    /// Honest nodes never fork their chains, also across crashes.
    case honestChains = 6
    /// Nothing unauthorized takes effect, and nothing authorized is void.
    case authority = 7
    /// A removed member opens nothing newer, with every operation and every key they ever had.
    case removedReadNothingNewer = 8
    /// A newcomer holds and opens nothing older.
    case newcomersReadNothingOlder = 9
    /// Every member of a message's view opens it.
    case membersRead = 10
    /// A message's epoch is for the message's view.
    case epochOfView = 11
    /// Everybody has the key that the epoch's author committed to.
    case commitment = 12
    /// No nonce is used twice under a key.
    case nonces = 13
    /// The shown order respects causality and is the same everywhere.
    case shownOrder = 14
    /// What proves a fork gets to everybody.
    case forkEvidence = 15
    /// What waits stays within its limits.
    case boundedBuffers = 16
    /// A new operation costs a bounded number of bytes.
    case boundedTraffic = 17
    /// What is rejected changes nothing.
    case rejectedInput = 18
    /// State rebuilt from the log equals the live state.
    case rebuiltState = 19
    /// A healed network becomes equal in bounded time.
    case convergence = 20
    /// No secret is anywhere but with its owner.
    case secrets = 21
    /// A refusal has one of the codes that its command may give.
    case typedRefusals = 22
    /// An operation changes verdicts of lower rank only.
    case nonInterference = 23
    /// Nobody is taken for somebody else, and no honest node is turned away as a liar.
    case identity = 24
    /// Every author knows what the readers last said of their messages; and nobody is said to have received or read
    /// what they did not.
    case receipts = 25
    /// That somebody types is told to the members of the moment, over one other at most, and shown for three seconds;
    /// what is forged, repeated or too fast changes nothing.
    case typing = 26
    /// What was canceled before anybody had it, nobody ever gets.
    case canceled = 27
    /// An honest node never traps, whatever it is sent.
    case noTraps = 28
    /// A live message arrives within two seconds, although liars flood, withhold or answer nothing.
    case promptness = 29
    /// What a node remembers of people, conversations and places stays within a bound, whoever tells it of how many.
    case boundedMemory = 30
    /// Strangers are told nothing of a conversation.
    case strangers = 31
    /// Two honest nodes whose users share nothing do not stay connected.
    case parting = 32
    /// A device reads what its user's other devices can.
    case devicesRead = 33
    /// A user's devices end with the same of what is their user's alone.
    case devicesAgree = 34
    /// Everybody ends with one record of a user's devices, and with the same of them taken out.
    case oneRecord = 35
    /// What was sealed by somebody who knew that a device was taken out does not open for it.
    case takenOutReadNothingNewer = 36
}
