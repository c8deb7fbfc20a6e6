/// Why a node or a command refused or failed: the stable codes of the interface.
public enum ErrorCode: String, Hashable, Sendable, Codable, CaseIterable {
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

    /// How it ends an answer of the local API and a program: an HTTP status, and a number of `sysexits.h` where that
    /// has a fitting one.
    public var ends: (answer: Int, program: Int32) {
        switch self {
        case .invalidRequest: (400, 1)
        case .badConfiguration: (400, 78)
        case .insufficientPermissions, .notAParticipant, .announcementOnly, .outranked, .passphraseNeeded,
            .wrongPassphrase:
            (403, 1)
        case .permissionDenied: (403, 77)
        case .conversationNotFound, .messageNotFound, .unknownPerson, .fileNotFound: (404, 1)
        case .ambiguousName, .alreadyDelivered, .alreadyInGroup, .alreadyRemoved, .wouldArchive, .lastAdmin,
            .duplicateParticipant, .notAccepted, .wrongPerson, .homeInUse, .homeCopied, .notCertified, .identityDeleted,
            .deviceTakenOut, .canceled, .codeExpired, .codeUsed, .codeCanceled:
            (409, 1)
        case .notHere: (409, 75)
        case .tooLarge, .photoTooLarge: (413, 1)
        case .invalidOperation, .cannotLeaveDirect, .contactInvalid, .codeInvalid, .nameInvalid, .descriptionInvalid,
            .textInvalid, .tagInvalid, .deletedPerson, .tooManyParticipants, .tooFewParticipants, .photoFormat,
            .photoBroken, .photoTruncated:
            (422, 1)
        case .damagedBackup: (500, 1)
        case .storageFailed: (500, 75)
        case .newerDatabase, .damagedHome: (500, 78)
        case .digestMismatch: (502, 1)
        case .notRunning: (503, 69)
        case .photoTimeout, .noPeer, .networkError, .portInUse: (503, 75)
        case .photoUnavailable, .addressUnavailable: (503, 78)
        case .diskFull, .quotaReached: (507, 75)
        }
    }
}
