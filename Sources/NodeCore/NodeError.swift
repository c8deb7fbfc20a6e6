/// A refusal or failure as a user meets it: a stable code, a sentence, and what to do next.
public struct NodeError: Error, Hashable, Sendable, Codable {
    /// Why a request was refused or failed. Raw values are the stable codes of the interface.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        case conversationNotFound = "conversation_not_found"
        case messageNotFound = "message_not_found"
        case alreadyDelivered = "already_delivered"
        case ambiguousName = "ambiguous_name"
        case insufficientPermissions = "insufficient_permissions"
        case invalidOperation = "invalid_operation"
        case invalidRequest = "invalid_request"
        case networkError = "network_error"
        case notAParticipant = "not_a_participant"
        case notAccepted = "not_accepted"
        case cannotLeaveDirect = "cannot_leave_direct"
        case wouldArchive = "would_archive"
        case lastAdmin = "last_admin"
        case nameInvalid = "name_invalid"
        case descriptionInvalid = "description_invalid"
        case textInvalid = "text_invalid"
        case tagInvalid = "tag_invalid"
        case tooManyParticipants = "too_many_participants"
        case tooFewParticipants = "too_few_participants"
        case duplicateParticipant = "duplicate_participant"
        case unknownPerson = "unknown_person"
        case deletedPerson = "deleted_person"
        case contactInvalid = "contact_invalid"
        case codeInvalid = "code_invalid"
        case codeExpired = "code_expired"
        case codeUsed = "code_used"
        case codeCanceled = "code_cancelled"
        case wrongPerson = "wrong_person"
        case announcementOnly = "announcement_only"
        case outranked = "outranked"
        case alreadyInGroup = "already_in_group"
        case alreadyRemoved = "already_removed"
        case homeInUse = "home_in_use"
        case homeCopied = "home_copied"
        case notCertified = "not_certified"
        case damagedBackup = "damaged_backup"
        case identityDeleted = "identity_deleted"
        case deviceTakenOut = "device_taken_out"
        case portInUse = "port_in_use"
        case addressUnavailable = "address_unavailable"
        case newerDatabase = "newer_database"
        case damagedHome = "damaged_home"
        case passphraseNeeded = "passphrase_needed"
        case wrongPassphrase = "wrong_passphrase"
        case diskFull = "disk_full"
        case quotaReached = "quota_reached"
        case fileNotFound = "file_not_found"
        case tooLarge = "too_large"
        case noPeer = "no_peer"
        case notHere = "not_here"
        case canceled = "cancelled"
        case digestMismatch = "digest_mismatch"
        case photoTooLarge = "photo_too_large"
        case photoFormat = "photo_format"
        case photoBroken = "photo_broken"
        case photoTruncated = "photo_truncated"
        case photoTimeout = "photo_timeout"
        case photoUnavailable = "photo_unavailable"
        case storageFailed = "storage_failed"
        case permissionDenied = "permission_denied"
        case badConfiguration = "bad_configuration"
        case notRunning = "not_running"
    }

    /// The stable code.
    public let code: Code
    /// A sentence a person understands.
    public let message: String
    /// What to do next, or nil where the sentence says it all.
    public let hint: String?

    /// Describes a refusal.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension NodeError {
    /// What is told where no peer can be reached: `network_error`, with the reason next to what to do.
    public static func unreachablePeers(_ reason: String, hint: String) -> NodeError {
        NodeError(.networkError, "Network error. Please try again", hint: "\(reason). \(hint)")
    }

    /// What is told where a group could not be stored: the same code, and the reason next to what to do.
    var asFailedCreation: NodeError {
        guard [.diskFull, .storageFailed].contains(code) else { return self }
        let reason = message.hasSuffix(".") ? message : message + "."
        return NodeError(
            code, "Unable to create group. Please try again.",
            hint: [reason, hint].compactMap(\.self).joined(separator: " "))
    }
}
