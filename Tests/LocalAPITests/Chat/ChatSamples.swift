import LocalAPIModel

/// Values of the interface for tests of the chat, read as the command reads them: nothing but the node can make one.
protocol ChatSamples {}

extension ChatSamples {
    static var alice: String { String(repeating: "a", count: 64) }
    static var bob: String { String(repeating: "b", count: 64) }

    func read<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try WireFormat.decode(type, from: Array(json.utf8))
    }

    func message(
        _ number: Int, _ text: String? = nil, by sender: String = bob, in conversation: String = "c"
    ) throws -> MessageDescription {
        let minute = number % 60 < 10 ? "0\(number % 60)" : "\(number % 60)"
        return try read(
            """
            {"id":"m\(number)","conversation":"\(conversation)","kind":"text","sender":"\(sender)","sender_name":"\(sender == Self.alice ? "Alice" : "Bob")",
            "text":"\(text ?? "text \(number)")","readability":"open","sent_at":"2026-11-21T10:\(minute):00.000Z",
            "mentions":[],"deleted":false,"reactions":[],"files":[],"pinned":false}
            """)
    }

    func page(
        _ numbers: ClosedRange<Int>, earlier: String? = nil, later: String? = nil
    ) throws -> MessagePage {
        var page = try read(#"{"messages":[]}"#, as: MessagePage.self)
        page.messages = try numbers.map { try message($0) }
        (page.earlier, page.later) = (earlier, later)
        return page
    }

    func conversation(
        _ id: String = "c", _ title: String = "Ship", unread: Int = 0, isMember: Bool = true
    ) throws -> ConversationDescription {
        let member = #""role":"member","verified":false,"blocked":false,"deleted":false,"can_read":true"#
        let may = ["write", "add", "remove", "edit", "promote", "pin", "delete_others", "invite"]
            .map { "\"\($0)\":\(isMember)" }.joined(separator: ",")
        return try read(
            """
            {"id":"\(id)","kind":"group","title":"\(title)","member_count":2,"archived":false,"unread":\(unread),"sync":"synced",
            "pinned":false,"receipts":true,"mentions_only":false,"tags":[],"invited":[],
            "members":[{"user":"\(Self.alice)","name":"Alice","presence":"offline",\(member)},
            {"user":"\(Self.bob)","name":"Bob \\u001b[31m","presence":"online",\(member)}],
            "me":{"is_member":\(isMember),"may":{\(may)},"awaits_answer":false,"invited_by":[]}}
            """)
    }

    func file(_ state: FileDescription.State, id: String = "f") throws -> FileDescription {
        try read(
            #"{"id":"\#(id)","name":"tides.pdf","size":81920,"media_type":"application/pdf","kind":"file","state":"\#(state.rawValue)","received":0}"#
        )
    }

    /// The event that tells of a file.
    func event(_ id: Int, _ file: FileDescription) throws -> NodeEvent {
        var event = try read(#"{"id":\#(id),"type":"file","conversation":"c"}"#, as: NodeEvent.self)
        event.file = file
        return event
    }

    /// The event that tells that the conversation is not what it was.
    func event(_ id: Int) throws -> NodeEvent { try read(#"{"id":\#(id),"type":"conversation","conversation":"c"}"#) }

    /// The event that tells that somebody read more.
    func event(_ id: Int, readers: [String]) throws -> NodeEvent {
        let people = readers.map {
            #"{"user":"\#($0)","name":"Somebody","name_look":"Somebody","presence":"online","verified":false,"blocked":false,"deleted":false,"devices":[],"is_me":false}"#
        }
        return try read(
            #"{"id":\#(id),"type":"receipts","conversation":"c","people":[\#(people.joined(separator: ","))]}"#)
    }

    /// The event that tells of a message.
    func event(
        _ id: Int, _ message: MessageDescription, _ type: NodeEvent.Kind = .message
    ) throws -> NodeEvent {
        var event = try read(
            #"{"id":\#(id),"type":"\#(type.rawValue)","conversation":"\#(message.conversation)"}"#, as: NodeEvent.self)
        event.message = message
        return event
    }
}
