// What the commands print with `--json`, as far as the stories look at it. Written from the interface's description,
// not shared with the node, so that a change of an answer shows.

struct StatusAnswer: Decodable, Sendable {
    struct Sync: Decodable, Sendable {
        let title: String
        let operations: Int
    }

    let user: String
    let listening: [String]
    let conversations: [Sync]
    let storage: String
}

struct PersonAnswer: Decodable, Sendable {
    let user: String
    let name: String
    let isMe: Bool
    let verified: Bool
    let deleted: Bool
    let photo: PhotoResponse?
}

struct PhotoResponse: Decodable, Sendable {
    let id: String
    let name: String
    let state: String
    let mediaType: String
}

struct PeerAnswer: Decodable, Sendable {
    let name: String
    let device: String
}

struct MessageAnswer: Decodable, Hashable, Sendable {
    struct Reaction: Decodable, Hashable, Sendable {
        let emoji: String
        let names: [String]
    }

    struct Quote: Decodable, Hashable, Sendable {
        let id: String
        let senderName: String
        let text: String
        let readability: String
    }

    let id: String
    let kind: String
    let sender: String?
    let text: String
    let readability: String
    let sentAt: String
    let replyTo: String?
    let quote: Quote?
    let mentions: [String]
    let editedAt: String?
    let deleted: Bool
    let reactions: [Reaction]
    let pinned: Bool
}

struct MessagePageAnswer: Decodable, Sendable {
    let messages: [MessageAnswer]
    let earlier: String?
}

struct MemberAnswer: Decodable, Hashable, Sendable {
    let name: String
    let role: String
}

struct ConversationAnswer: Decodable, Sendable {
    let id: String
    let title: String
    let members: [MemberAnswer]
    let unread: Int
    let sync: String
    let keepDays: Int?
    let lastMessage: MessageAnswer?
}

struct VerificationAnswer: Decodable, Sendable {
    struct Conversation: Decodable, Sendable {
        struct Replica: Decodable, Sendable {
            let name: String
            let state: String
        }

        let conversation: String
        let title: String
        let operations: Int
        let digest: String
        let replicas: [Replica]
        let gaps: [GapAnswer]
    }

    let conversations: [Conversation]
    let equal: Bool
}

struct GapAnswer: Decodable, Sendable {
    let text: String
}

struct LaneAnswer: Decodable, Sendable {
    let type: String
    let sentence: String
}

struct ErrorAnswer: Decodable, Sendable {
    struct Detail: Decodable, Sendable {
        let code: String
    }

    let error: Detail
}

struct DeviceAnswer: Decodable, Sendable {
    let name: String
    let isThis: Bool
    let state: String
}
