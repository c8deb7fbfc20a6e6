import HTTPTypes
import LocalAPIModel
import Node
import NodeCore

extension NodeError {
    /// The error as an answer carries it.
    var detail: ErrorDescription.Detail {
        .init(code: code.rawValue, message: message, hint: hint)
    }
}

extension NodeError.Code {
    /// The HTTP status that fits the code.
    var status: HTTPResponse.Status {
        switch self {
        case .invalidRequest, .badConfiguration:
            .badRequest
        case .insufficientPermissions, .notAParticipant, .announcementOnly, .outranked, .permissionDenied,
            .passphraseNeeded, .wrongPassphrase:
            .forbidden
        case .conversationNotFound, .messageNotFound, .unknownPerson, .fileNotFound:
            .notFound
        case .ambiguousName, .alreadyDelivered, .alreadyInGroup, .alreadyRemoved, .wouldArchive, .lastAdmin,
            .duplicateParticipant, .notAccepted, .wrongPerson, .homeInUse, .homeCopied, .notCertified, .identityDeleted,
            .deviceTakenOut, .notHere,
            .canceled,
            .codeExpired,
            .codeUsed, .codeCanceled:
            .conflict
        case .invalidOperation, .cannotLeaveDirect, .contactInvalid, .codeInvalid, .nameInvalid, .descriptionInvalid,
            .textInvalid,
            .tagInvalid, .deletedPerson, .tooManyParticipants, .tooFewParticipants, .photoFormat, .photoBroken,
            .photoTruncated:
            .unprocessableContent
        case .tooLarge, .photoTooLarge:
            .contentTooLarge
        case .digestMismatch:
            .badGateway
        case .photoTimeout, .photoUnavailable, .noPeer, .networkError, .notRunning, .portInUse, .addressUnavailable:
            .serviceUnavailable
        case .diskFull, .quotaReached:
            .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .storageFailed, .newerDatabase, .damagedHome, .damagedBackup:
            .internalServerError
        }
    }
}
