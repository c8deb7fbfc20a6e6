/// The body of `PUT /conversations/{id}/private`: what is absent stays as it is, and null clears.
package struct ChangePrivate: RequestFields {
    /// How an API client writes a mute without end.
    private static let forever = "forever"

    package let wish: PreferencesRequest

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case pinned
        case archived
        case mutedUntil = "muted_until"
        case mentionsOnly = "mentions_only"
        case tags
        case addTags = "add_tags"
        case removeTags = "remove_tags"
        case draft
        case receipts
    }

    package static var nullable: Set<String> { Set(CodingKeys.allCases.map(\.stringValue)) }

    package init(_ wish: PreferencesRequest) {
        self.wish = wish
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        var wish = PreferencesRequest()
        wish.pinned = try fields.change(.pinned, cleared: false)
        wish.archived = try fields.change(.archived, cleared: false)
        wish.muting = try fields.change(.mutedUntil, cleared: nil).map { (end: String?) in
            guard let end else { return .off }
            return end == Self.forever ? .forever : .until(end)
        }
        wish.mentionsOnly = try fields.change(.mentionsOnly, cleared: false)
        wish.tags = try fields.change(.tags, cleared: [])
        wish.addedTags = try fields.change(.addTags, cleared: []) ?? []
        wish.removedTags = try fields.change(.removeTags, cleared: []) ?? []
        wish.draft = try fields.change(.draft, cleared: "")
        wish.receipts = try fields.change(.receipts, cleared: true)
        self.wish = wish
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(wish.pinned, forKey: .pinned)
        try fields.encodeIfPresent(wish.archived, forKey: .archived)
        switch wish.muting {
        case .off: try fields.encodeNil(forKey: .mutedUntil)
        case .forever: try fields.encode(Self.forever, forKey: .mutedUntil)
        case .until(let end): try fields.encode(end, forKey: .mutedUntil)
        case nil: break
        }
        try fields.encodeIfPresent(wish.mentionsOnly, forKey: .mentionsOnly)
        try fields.encodeIfPresent(wish.tags, forKey: .tags)
        if !wish.addedTags.isEmpty { try fields.encode(wish.addedTags, forKey: .addTags) }
        if !wish.removedTags.isEmpty { try fields.encode(wish.removedTags, forKey: .removeTags) }
        try fields.encodeIfPresent(wish.draft, forKey: .draft)
        try fields.encodeIfPresent(wish.receipts, forKey: .receipts)
    }
}

extension KeyedDecodingContainer {
    /// What a field is changed to: nil where it is absent, what stands for nothing where it is null.
    fileprivate func change<Value: Decodable>(_ key: Key, cleared nothing: Value) throws -> Value? {
        guard contains(key) else { return nil }
        return try decodeNil(forKey: key) ? nothing : decode(Value.self, forKey: key)
    }
}
