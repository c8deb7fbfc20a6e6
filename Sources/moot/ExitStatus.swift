import LocalAPIModel

/// How the program ends, for scripts. The numbers are those of `sysexits.h` where it has a fitting one.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    /// The node refused, or something failed.
    case refused = 1
    /// What was asked for could not be looked at.
    case couldNotLook = 2
    case wrongUsage = 64
    case notRunning = 69
    /// It may work at another time.
    case tryAgain = 75
    /// The operating system does not permit it.
    case noPermission = 77
    case badConfiguration = 78

    /// The status of an error's stable code; one that this version does not know is a refusal.
    static func of(code: String) -> ExitStatus {
        guard let code = ErrorCode(rawValue: code) else { return .refused }
        switch code {
        case .notRunning:
            return .notRunning
        case .networkError, .noPeer, .notHere, .diskFull, .quotaReached, .storageFailed, .portInUse, .photoTimeout:
            return .tryAgain
        case .permissionDenied:
            return .noPermission
        case .badConfiguration, .addressUnavailable, .newerDatabase, .damagedHome, .photoUnavailable:
            return .badConfiguration
        case .conversationNotFound, .messageNotFound, .alreadyDelivered, .ambiguousName, .insufficientPermissions,
            .invalidOperation, .invalidRequest, .notAParticipant, .notAccepted, .cannotLeaveDirect, .wouldArchive,
            .lastAdmin, .nameInvalid, .descriptionInvalid, .textInvalid, .tagInvalid, .tooManyParticipants,
            .tooFewParticipants, .duplicateParticipant, .unknownPerson, .deletedPerson, .contactInvalid, .codeInvalid,
            .codeExpired,
            .codeUsed, .codeCanceled, .wrongPerson, .announcementOnly, .outranked, .alreadyInGroup,
            .alreadyRemoved, .homeInUse, .homeCopied, .notCertified, .damagedBackup, .identityDeleted, .fileNotFound,
            .deviceTakenOut,
            .tooLarge, .canceled,
            .digestMismatch,
            .photoTooLarge,
            .photoFormat, .photoBroken, .photoTruncated, .passphraseNeeded, .wrongPassphrase:
            return .refused
        }
    }
}
