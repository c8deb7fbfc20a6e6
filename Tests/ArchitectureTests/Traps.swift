/// The traps that are left in targets through which bytes of peers pass, each with the reason why no peer can spring
/// it.
///
/// What peers chose, sizes, counts and shapes among it, gets an error, a page or a cut instead. Whoever adds a trap
/// says here why it is none of that.
enum Traps {
    /// The targets that see what peers sent.
    static let targets: Set<String> = [
        "ReplicatedTypes", "Membership", "Cryptography", "OperationLog", "Blobs", "Conversations", "Replication",
        "NodeCore", "SQLiteStore", "StreamTransport", "BlobStore", "KeyStore", "Node",
    ]

    private static let decoded = "decoders of what peers send have checked it, and give an error"
    private static let own = "only this node's own words and keys come here"
    private static let constant = "follows from constants of the source"
    private static let machine = "the machine has no memory, or its library does not start"
    private static let admitted = "admission judged it by its own past, and a storage keeps only what was admitted"
    private static let judged = "an order of evaluation, whatever the operations are; fuzzed against a second evaluator"

    /// By file and by what the trap says, why it stays.
    static let reasons: [String: [String: String]] = [
        "Node/Devices/NewDevice.swift": ["32 bytes are a key, and 16 a secret": constant],
        "Replication/Messages/Lane/LaneDigest.swift": [
            "the digest of a lane has 8 bytes": "eight bytes are read of what a peer says, and a hash makes as many"
        ],
        "Replication/Messages/Presence/ReachabilityReport.swift": [
            "an answer names the place of a connection":
                "a node answers with addresses that its own system gave, and what it reads was checked before"
        ],
        "ReplicatedTypes/Dot.swift": ["events are counted from 1": "counters are counted here, and never read"],
        "Membership/Evaluation/Evaluation.swift": [
            "a verdict rests on operations of strictly higher rank only": judged
        ],
        "Membership/Graph/History.swift": ["a write that counts acts under a grant": judged],
        "Membership/MembershipResolver+Queries.swift": ["an operation is tried under a name of its own": judged],
        "Membership/MembershipResolver+Settling.swift": [
            "operations come once, after their parents, and first the creation": admitted
        ],
        "Membership/Rules/CodeRule.swift": ["a join makes a grant": "every join does, whatever its invite is"],
        "Cryptography/SecretBytes.swift": ["a secret is short": own],
        "Cryptography/SHA256.swift": ["an HMAC of libsodium has a key of 32 bytes": own],
        "Cryptography/SigningKey.swift": [
            "a digest is filled at once": constant, "a signature has 64 bytes": constant,
        ],
        "Cryptography/MemoryHardHash.swift": ["a salt has 16 bytes": constant, "libsodium starts": machine],
        "Cryptography/AgreementKey.swift": ["a public key has 32 bytes": decoded],
        "Cryptography/Digest.swift": ["a digest has 32 bytes": "readers hand over 32 bytes or fail"],
        "Cryptography/SecretMemory.swift": ["no guarded memory is left for \\(byteCount) bytes": machine],
        "Cryptography/Sealing/SealedBox.swift": ["a public key has 32 bytes": decoded],
        "Cryptography/Sealing/ExtendedNonceCipher.swift": [
            "a key has 32 bytes, a nonce 24": own, "a key has 32 bytes": "keys are digests or decoded as such",
        ],
        "Cryptography/Sealing/Padding.swift": ["there is room for the padding": constant],
        "Cryptography/Sealing/StorageKey.swift": ["a key has 32 bytes": own],
        "Cryptography/Sealing/CounterNonceCipher.swift": ["libsodium starts": machine, "a key has 32 bytes": constant],
        "Cryptography/Sealing/Passphrase.swift": ["no guarded memory is left for a passphrase": machine],
        "Cryptography/Scratch.swift": ["there is memory": machine],
        "Cryptography/SelfTestPoint.swift": ["a constant is mistyped": constant],
        "Cryptography/Noise/KeyDerivation.swift": ["a key fits a block": constant],
        "Cryptography/Noise/CipherState.swift": ["a key has 32 bytes": constant],
        "Cryptography/Noise/SymmetricState.swift": ["a name that fits a hash is padded, not hashed": constant],
        "Cryptography/Noise/HandshakeState.swift": [
            "handshake messages alternate": "the channel's states say whose turn it is, whatever comes",
            "a handshake has three messages": "the channel splits keys after the third",
            "keys are sent, not mixed": constant,
            "the pattern sends keys before it mixes them": constant,
        ],
        "Cryptography/Blake2b.swift": [
            "BLAKE2b makes 1 to 64 bytes under at most 64": constant, "a digest has 32 bytes": constant,
            "a hash fills its result": constant, "room was asked for": machine,
        ],
        "OperationLog/Log/MembershipGraph.swift": ["parents are admitted first": "admission looks for them before"],
        "OperationLog/Log/Frontier.swift": ["a frontier digest has 16 bytes": "readers hand over 16 bytes or fail"],
        "OperationLog/Log/ConversationLog+Authoring.swift": [
            "a body keeps its limit": "commands check, and lists of what others made are cut into several bodies",
            "a body is as long as it was said to be": own, "a group begins with its own creation": own,
            "a group begins once": own,
        ],
        "OperationLog/Identity/WrapRecord.swift": ["a public key has 32 bytes": own],
        "Conversations/Bodies/DeviceRevocation.swift": ["it names 16 operations of each lane": own],
        "OperationLog/Identity/IdentityRecord.swift": [
            "a user has 1 to 8 devices": own, "a root certifies its own devices only": own,
            "a serial is a time before the year 2100": own,
        ],
        "OperationLog/Identity/ProfileCard.swift": ["a root signs its own card only": own],
        "OperationLog/Operations/Author.swift": [
            "an author writes in its own chain": own, "membership operations carry their own signature": own,
        ],
        "OperationLog/Batches/Batch+Encoding.swift": [
            "the last operation of a chain carries its signature": "an assembly ends only where that holds",
            "operations of a batch are in causal order":
                "admission and arrival keep that order, and an assembly keeps theirs",
        ],
        "Blobs/Transfers/BlobTransfers.swift": ["a whole blob is not fetched": own],
        "Blobs/Files/BlobAddress.swift": [
            "a tree has a leaf for each chunk": own, "a chunk is within its blob": decoded,
        ],
        "Blobs/Files/BlobEncoder.swift": [
            "nothing follows a short piece": own, "only an empty file has an empty piece": own,
        ],
        "Blobs/Files/BlobTree.swift": ["a blob has a chunk": own],
        "Blobs/Files/BlobKey.swift": ["a chunk keeps its limit": own],
        "Conversations/Groups/Group.swift": ["the log admits an operation once, after its parents": admitted],
        "Conversations/Text/OwnWord.swift": ["uniqueKeysWithValues": constant],
        "Conversations/People/SafetyNumber.swift": ["a code belongs to two people": own],
        "Conversations/Bodies/MembershipBody+Rules.swift": [
            "membership bodies are never missing": admitted,
            "a malformed membership body is inadmissible: \\(error)": admitted,
        ],
        "Storage/ReceiptRecord.swift": [
            "a record names a limited number of chains": "the node names no more, however many there are"
        ],
        "Conversations/Encryption/Views.swift": ["uniqueKeysWithValues": "the two people of a direct conversation"],
        "Conversations/Encryption/View.swift": [
            "uniqueKeysWithValues": "a device's id holds its user, and records list a device once"
        ],
        "Conversations/Encryption/EpochKey.swift": ["a key has \\(byteCount) bytes": own],
        "Conversations/Typing/DeliveredReaders.swift": [
            "a view has \\(View.maximumReaders) readers": "places are places in a view"
        ],
        "Conversations/Typing/TypingSignal.swift": ["a replica epoch has 16 bytes": own],
        "NodeCore/Replicas/NodeCore+Writing.swift": [
            "operations are written into open conversations": own,
            "this node wrote a malformed body: \\(error)": "lists of what others made are cut to what a body may name",
        ],
        "KeyStore/Recovery/RecoveryCode.swift": ["a root has 32 bytes": own, "32 bytes are a key": constant],
        "NodeCore/NodeCore.swift": ["the last candidate is a name": constant],
        "NodeCore/Keys/WrapKeys.swift": ["a device always has a key": own],
        "NodeCore/Keys/NodeCore+Epochs.swift": [
            "a replica knows its own heads": admitted, "an epoch was written": own,
            "a record with a weak key is malformed: \\(error)": decoded,
            "what content names is in the lane": admitted,
        ],
        "NodeCore/Contacts/NodeCore+Searching.swift": ["nobody looks for themselves": own],
        "NodeCore/Invites/NodeCore+Codes.swift": [
            "a seed has 32 bytes": own, "what was committed is in the lane": own,
        ],
        "SQLiteStore/ReplicaStore.swift": ["a replica epoch has 16 bytes": own],
        "SQLiteStore/ReplicaStore+Commit.swift": [
            "membership operations carry their own signature": admitted,
            "a commit signs the last operation of each chain": "what is new of a run that was verified is its end",
        ],
        "StreamTransport/Addresses/SocketAddress.swift": ["a socket address is not empty": machine],
        "StreamTransport/Addresses/InviteCode.swift": ["a seed has 32 bytes": "readers hand over 32 bytes or fail"],
        "StreamTransport/Discovery/BeaconSocket.swift": ["a beacon keeps its limit": own],
        "StreamTransport/Connections/OutgoingBytes.swift": ["no more can be sent than waits": machine],
        "Node/Photos/Node+Photos.swift": [
            "pictures that were kept are photos": own, "a photo is shorter than the longest file": constant,
        ],
        "Node/Files/Node+Files.swift": [
            "a request with files makes one message": own, "a message was written": own,
        ],
        "Node/Reading/Node+Describing.swift": ["every message has a description": own],
        "KeyStore/Keyring.swift": [
            "a key that was not there was made": own, "secrets of 32 bytes are keys": own,
        ],
    ]
}

extension Rule {
    /// No trap stands where bytes of peers pass, unless it is listed with the reason why no peer can spring it.
    static var listsEveryTrap: Rule {
        Rule { file, target in
            guard Traps.targets.contains(target.name) else { return [] }
            return file.traps.filter { Traps.reasons[file.path]?[$0.text] == nil }
                .map {
                    Finding(
                        line: $0.line,
                        reason: "a trap (\"\($0.text)\"): give an error, a page or a cut, or a reason in Traps.swift")
                }
        }
    }
}

extension SwiftSource {
    /// The places where a program may end by itself, each with what it says then, or else the word that traps.
    var traps: [(line: Int, text: String)] {
        let words = [
            "precondition", "preconditionFailure", "fatalError", "assert", "assertionFailure", "uniqueKeysWithValues",
            "unsafelyUnwrapped",
        ]
        return code(naming: words).map { number, code in
            let word = words.first { code.contains($0) } ?? ""
            guard word != "uniqueKeysWithValues" else { return (number, word) }
            // What it says stands on the line or soon after.
            let text = lines[(number - 1)..<min(lines.count, number + 5)].joined(separator: "\n")
            return (number, text.firstMatch(of: /"((?:[^"\\]|\\\()*)"/).map { String($0.output.1) } ?? word)
        }
    }
}
