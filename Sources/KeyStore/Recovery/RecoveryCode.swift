import Cryptography
import NodeCore
import OperationLog

/// A user's root as text for paper: 14 groups of five letters and digits.
///
/// The root is all that its user cannot get again from others, so what is written down must be readable after years,
/// and an error of the pen must be found before anybody becomes somebody else by it. So each group ends with a
/// character that checks the group and its place: any one character that is wrong is found, and the group is named.
/// What slips through that, the checksum over all finds, but for one in 65,536.
public struct RecoveryCode: Sendable {
    /// How many groups a code has.
    public static let groupCount = 14
    /// How many characters a group has, the last of which checks it.
    public static let groupLength = 5

    /// The seed of the root.
    let root: SecretBytes

    private static let version: UInt8 = 1
    private static let checksumByteCount = 2

    /// Takes up a root.
    ///
    /// - Precondition: it has 32 bytes.
    init(root: SecretBytes) {
        precondition(root.count == SigningKey.seedByteCount, "a root has 32 bytes")
        self.root = root
    }

    /// Reads a code as people type it: in small letters too, with spaces and dashes anywhere, with 0, 1 and 8 for O, I
    /// and B, which it has not.
    ///
    /// - Throws: ``Misspelling``.
    public init(_ text: String) throws(Misspelling) {
        let groups = try Self.groups(of: text)
        for (place, group) in groups.enumerated() where Self.check(group.dropLast(), at: place) != group.last {
            throw .group(place + 1)
        }
        let letters = groups.flatMap { $0.dropLast().map { Self.alphabet[Int($0)] } }
        guard let bytes = Base32.decode(letters), bytes.count == 1 + SigningKey.seedByteCount + Self.checksumByteCount,
            Self.checksum(bytes.dropLast(Self.checksumByteCount)) == Array(bytes.suffix(Self.checksumByteCount))
        else { throw .checksum }
        guard bytes.first == Self.version else { throw .newer }
        root = SecretBytes(Array(bytes[1...].prefix(SigningKey.seedByteCount)))
    }

    /// The groups, in their order.
    public var groups: [String] {
        let content = [Self.version] + root.withUnsafeBytes { Array($0) }
        let letters = Array(Base32.encode(content + Self.checksum(content[...])).utf8)
        return (0..<Self.groupCount).map { place in
            let group = letters[place * (Self.groupLength - 1)..<(place + 1) * (Self.groupLength - 1)]
            let check = Self.check(group.compactMap(Self.value), at: place)
            return String(decoding: group + [Self.alphabet[Int(check)]], as: UTF8.self)
        }
    }

    // MARK: - Characters

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    /// What people read for letters that look like them.
    private static let lookalikes: [UInt8: UInt8] = [
        UInt8(ascii: "0"): UInt8(ascii: "O"), UInt8(ascii: "1"): UInt8(ascii: "I"),
        UInt8(ascii: "8"): UInt8(ascii: "B"),
    ]

    private static func value(of letter: UInt8) -> UInt8? { alphabet.firstIndex(of: letter).map { UInt8($0) } }

    /// The numbers that the characters of each group stand for.
    private static func groups(of text: String) throws(Misspelling) -> [[UInt8]] {
        let words = text.uppercased().split { $0.isWhitespace || $0 == "-" }
        var values: [UInt8] = []
        for character in words.joined() {
            let letter = character.asciiValue.map { lookalikes[$0] ?? $0 }
            guard let value = letter.flatMap(value) else { throw .character(character) }
            values.append(value)
        }
        // Where the groups are apart, the one is named that lacks a character.
        if words.count == groupCount, let wrong = words.firstIndex(where: { $0.count != groupLength }) {
            throw .group(wrong + 1)
        }
        guard values.count == groupCount * groupLength else { throw .length(values.count) }
        return stride(from: 0, to: values.count, by: groupLength).map { Array(values[$0..<$0 + groupLength]) }
    }

    /// The number of the character that checks a group: the weights are odd, so that no change of one character leaves
    /// it as it is.
    private static func check(_ values: some Sequence<UInt8>, at place: Int) -> UInt8 {
        let sum = values.enumerated().reduce(place + 1) { $0 + (2 * $1.offset + 1) * Int($1.element) }
        return UInt8(sum % alphabet.count)
    }

    private static func checksum(_ content: ArraySlice<UInt8>) -> [UInt8] {
        Array(Digest.hash("moot/1/recovery", Array(content)).bytes.prefix(checksumByteCount))
    }

    /// What is wrong with a text that should be a code.
    public enum Misspelling: Error, Hashable, Sendable {
        /// A character that no code has.
        case character(Character)
        /// Another number of characters.
        case length(Int)
        /// The group of this number, counted from 1, has a wrong character.
        case group(Int)
        /// Several characters are wrong, and it cannot be told which.
        case checksum
        /// A newer version made the code.
        case newer

        /// A sentence for the person who typed it.
        public var sentence: String {
            let all = RecoveryCode.groupCount * RecoveryCode.groupLength
            return switch self {
            case .character(let one): "A recovery code has letters and the digits 2 to 7, and no \"\(one)\""
            case .length(let count): "A recovery code has \(all) letters and digits, and these are \(count)"
            case .group(let number): "Group \(number) of the recovery code is not as it was printed"
            case .checksum: "The recovery code is not as it was printed, in more than one place"
            case .newer: "A newer version of Moot made this recovery code"
            }
        }
    }
}

extension RecoveryCode {
    /// Reads the root of a home, whether its node runs or not. Nothing is changed.
    ///
    /// - Parameters:
    ///   - folder: The folder of the node.
    ///   - passphrase: What guards its keys.
    /// - Throws: `invalid_operation` where no home is, where another device holds the root, or for a passphrase that
    ///   guards nothing; `passphrase_needed`, `wrong_passphrase`, `damaged_home`, `permission_denied`,
    ///   `bad_configuration` without memory for the passphrase.
    /// - Complexity: as the passphrase's cost says.
    public init(ofHome folder: String, passphrase: Passphrase?) throws(NodeError) {
        self.init(root: try Keyring.root(in: Home.keyFiles(of: folder), passphrase: passphrase))
    }

    /// The id of the user whose root it is.
    public var user: String {
        guard let key = SigningKey(seed: root) else { preconditionFailure("32 bytes are a key") }
        return UserID(key.verifyingKey).description
    }
}
