import Foundation
import Testing

@testable import LocalAPIModel
@testable import LocalAPIServer

@Suite("The words of the description of the local API")
struct OpenAPIEnumTests {
    /// The words that a node says for a type.
    private static func words<Word: APIEnum>(_ type: Word.Type) -> Set<String> {
        Set(type.allCases.filter { $0 != .unknown }.map(\.rawValue))
    }

    /// The words of every field that has a list of them, by the schema and the name of the field.
    private static let words: [String: Set<String>] = [
        // Nobody is made founder.
        "ChangeRole.role": words(MemberDescription.Role.self).subtracting(["founder"]),
        "Conversation.kind": words(ConversationDescription.Kind.self),
        "Conversation.sync": words(ConversationDescription.SyncState.self),
        "CreateConversation.kind": Set(CreateConversation.Kind.allCases.map(\.rawValue)),
        "DeliveryState.phase": words(DeliveryState.Phase.self),
        "Event.type": words(NodeEvent.Kind.self),
        "File.kind": words(FileDescription.Kind.self),
        "File.state": words(FileDescription.State.self),
        "Device.state": words(DeviceDescription.State.self),
        "Finding.severity": words(DiagnosisDescription.Finding.Severity.self),
        "Gap.kind": words(GapDescription.Kind.self),
        "GroupSettings.announcement": words(GroupSettingsDescription.Announcement.self),
        "GroupSettings.members-add": words(GroupSettingsDescription.Adding.self),
        "GroupSettings.statistics": words(GroupSettingsDescription.Statistics.self),
        "Health.status": words(HealthDescription.Status.self),
        "Me.role": words(MemberDescription.Role.self),
        "Member.presence": words(PersonDescription.Presence.self),
        "Member.role": words(MemberDescription.Role.self),
        "Message.kind": words(MessageDescription.Kind.self),
        "Message.readability": words(MessageDescription.Readability.self),
        "Notification.type": words(NotificationDescription.Kind.self),
        "Peer.direction": words(PeerDescription.Direction.self),
        "Person.presence": words(PersonDescription.Presence.self),
        // What is for the members of another moment is not quoted.
        "Quote.readability": words(MessageDescription.Readability.self).subtracting(["closed"]),
        "Receipts.phase": words(DeliveryState.Phase.self),
        "Replica.state": words(VerificationDescription.Replica.State.self),
        "Setting.source": words(SettingDescription.Source.self),
        "Sync.state": words(StatusDescription.Sync.State.self),
        "System.action": words(MessageDescription.System.Action.self),
    ]

    private let document: [String: Any]

    init() throws {
        let json = try JSONSerialization.jsonObject(with: Data(APIDescription.bytes))
        document = try #require(json as? [String: Any])
    }

    /// The words of a field, each of which is there once.
    private func words(of field: [String: Any], at place: String) throws -> Set<String> {
        let listed = try #require(field["enum"] as? [String], "\(place)")
        #expect(Set(listed).count == listed.count, "\(place) lists a word twice")
        return Set(listed)
    }

    @Test func `are those of the model, in every field that has a list of them`() throws {
        let components = try #require(document["components"] as? [String: [String: Any]])
        var described: [String: Set<String>] = [:]
        for (name, schema) in try #require(components["schemas"]) {
            let fields = (schema as? [String: Any])?["properties"] as? [String: [String: Any]] ?? [:]
            for (key, field) in fields where field["enum"] != nil {
                described["\(name).\(key)"] = try words(of: field, at: "\(name).\(key)")
            }
        }
        #expect(Set(described.keys) == Set(Self.words.keys))
        for (place, words) in described { #expect(words == Self.words[place], "\(place)") }
    }

    @Test func `are those of the model where files are asked for by their kind`() throws {
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let asking = try #require(paths["/conversations/{id}/files"]?["get"]?["parameters"] as? [[String: Any]])
        let kind = try #require(asking.first { $0["name"] as? String == "kind" }?["schema"] as? [String: Any])
        #expect(try words(of: kind, at: "kind") == Self.words["File.kind"])
    }
}
