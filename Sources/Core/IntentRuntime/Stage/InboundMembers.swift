internal import IntentEvents
internal import IntentKit

/// The names of the members that an object in clients' events may have (R79a).
///
/// The wire rules say the same, and more; they are above the runtime, and checking them would take a tree of JSON for each
/// event. `InboundMembersTests` compares both.
struct InboundMembers: Sendable {
    /// A member whose value is such an object, or a list of them.
    typealias Inner = (name: StaticString, members: InboundMembers)

    /// A member that is none of these.
    private struct Unknown {
        var path: String
        var name: String
        var known: [StaticString]
    }

    /// All names: first those of objects, then those of lists.
    let names: [StaticString]
    let objects: [Inner]
    let lists: [Inner]

    private init(_ names: StaticString..., objects: [Inner] = [], lists: [Inner] = []) {
        self.names = objects.map(\.name) + lists.map(\.name) + names
        self.objects = objects
        self.lists = lists
    }

    /// The members of the data of a type's events; nil for a type that clients do not send.
    static func of(_ type: EventType) -> InboundMembers? {
        switch type {
        case .intentRequested: Self.request
        case .promptAnswered: Self.answer
        case .interactionCancelled: Self.cancellation
        case .deviceUnlocked: Self.unlocking
        case .userAuthenticated, .vocabularyRemoved: Self.userAlone
        case .appResponded: Self.appResponse
        case .vocabularyReplaced: Self.vocabulary
        case .operatorDecided: Self.decision
        case .intentResolved, .intentConfirmed, .interactionReturned, .interactionResumed, .promptRecalled,
            .followUpScheduled, .timerFired, .operatorActed, .promptIssued, .intentResponded, .statusUpdated,
            .userNotified, .eventRejected, .userActivityCreated, .turnJournaled:
            nil
        }
    }

    private static let request = InboundMembers(
        "locale",
        "timeZone",
        "groupIdentifier",
        "expiresAt",
        "dialog",
        "setsAside",
        objects: [
            ("intent", InboundMembers("name", "parameters")),
            ("user", InboundMembers("id", "authorization", "authenticated", "contactsAccess")),
            ("device", InboundMembers("id", "locked", "appVersion")),
            (
                "presentation",
                InboundMembers("context", objects: [("maximumSize", InboundMembers("width", "height"))])
            ),
            ("redrive", InboundMembers("keys", "rounds", "yes", "values")),
            ("follows", InboundMembers("interaction", "name")),
        ]
    )

    private static let user: Inner = ("user", InboundMembers("id"))

    private static let answer = InboundMembers(
        "promptId",
        "action",
        "value",
        "choice",
        "corrections",
        "timeZone",
        objects: [Self.user]
    )

    private static let cancellation = InboundMembers("reason", objects: [Self.user])

    private static let unlocking = InboundMembers(objects: [Self.user, ("device", InboundMembers("id"))])

    private static let userAlone = InboundMembers(objects: [Self.user])

    private static let appResponse = InboundMembers("code", "response", objects: [Self.user])

    private static let decision = InboundMembers(
        "decision",
        "request",
        "attempts",
        "code",
        "details",
        "dialog",
        objects: [Self.user]
    )

    private static let vocabulary = InboundMembers(
        "type",
        objects: [Self.user],
        lists: [("strings", InboundMembers("spokenPhrase", "pronunciationHint", "vocabularyIdentifier"))]
    )

    // MARK: What is unknown

    /// The members of an event's data, and the attributes in its record, that are not read, up to 10.
    ///
    /// Nothing is allocated for an event without any.
    static func mistakes(
        in data: JSONView,
        _ content: RecordContent,
        _ type: EventType,
        eventID: String
    ) -> [ClientMistake] {
        guard let members = Self.of(type) else { return [] }
        var unknown: [Unknown] = []
        members.findUnknown(in: data, &unknown)
        let mistakes = unknown.map { member in
            ClientMistake(
                member.name,
                in: member.path,
                .unknownMember,
                known: member.known.map { "\($0)" },
                eventID: eventID
            )
        }
        let attributes = InboundAttributes.mistakes(in: content, eventID: eventID)
        return mistakes + attributes.prefix(ClientMember.maximumNamed - mistakes.count)
    }

    private func findUnknown(in json: JSONView, _ found: inout [Unknown]) {
        json.forEachMember(among: self.names) { index, name, value in
            if let index {
                self.findUnknown(in: value, at: index, &found)
            } else {
                let name = name()
                if !ClientMember.isOwn(name) { found.append(Unknown(path: "", name: name, known: self.names)) }
            }
            return found.count < ClientMember.maximumNamed
        }
    }

    /// Finds the unknown members inside of a member, given the index of its name.
    private func findUnknown(in value: JSONView, at index: Int, _ found: inout [Unknown]) {
        if index < self.objects.count {
            let first = found.count
            self.objects[index].members.findUnknown(in: value, &found)
            Self.put(first..<found.count, of: &found, into: "\(self.names[index])")
        } else if index < self.objects.count + self.lists.count {
            let members = self.lists[index - self.objects.count].members
            for (element, value) in value.elements.enumerated() where found.count < ClientMember.maximumNamed {
                let first = found.count
                members.findUnknown(in: value, &found)
                Self.put(first..<found.count, of: &found, into: "\(self.names[index]).\(element)")
            }
        }
    }

    /// Puts a name before the paths of members that were found inside of it.
    private static func put(_ indices: Range<Int>, of found: inout [Unknown], into name: @autoclosure () -> String) {
        for index in indices {
            found[index].path = found[index].path.isEmpty ? name() : "\(name()).\(found[index].path)"
        }
    }
}

/// The attributes of clients' events (R79a).
enum InboundAttributes {
    /// Those that a header `ce_…` may misspell.
    private static let headers = ["specversion", "id", "source", "type", "time", "userid", "subject", "clientid"]
    /// Those that a member of a structured event may misspell.
    private static let members = Self.headers + ["datacontenttype", "traceparent", "tracestate"]

    /// The headers that need no search.
    private static let knownHeaders: [StaticString] = [
        "ce_specversion", "ce_id", "ce_source", "ce_type", "ce_time", "ce_subject", "ce_userid", "ce_causationid",
        "ce_stage", "ce_request", "ce_clientid", "ce_intentdscript", "ce_redriveof", "ce_followsfrom",
    ]

    /// The members of a structured event that need no search.
    private static let knownMembers: [StaticString] = [
        "data", "specversion", "id", "source", "type", "time", "subject", "userid", "causationid", "stage", "request",
        "clientid", "intentdscript", "redriveof", "followsfrom", "datacontenttype", "traceparent", "tracestate",
    ]

    /// The attributes that are probably misspelt ones of those that are read.
    static func mistakes(in content: RecordContent, eventID: String) -> [ClientMistake] {
        var mistakes: [ClientMistake] = []
        content.withParts { parts in
            var isStructured = false
            parts.forEachHeader { name, value in
                if RecordParts.areEqual(name, EventHeaderName.Written.contentType) {
                    isStructured = !(value.map { RecordParts.areEqual($0, EventHeaderName.Written.json) } ?? true)
                } else if Self.isAttribute(name), !Self.knownHeaders.contains(where: { RecordParts.areEqual(name, $0) })
                {
                    let text = String(decoding: name, as: UTF8.self)
                    Self.add(text, Self.header(meantBy: text), eventID, to: &mistakes)
                }
            }
            guard isStructured, EventParts(parts, on: .requests).isStructured, let value = parts.value else { return }
            try? JSONTape.withView(of: value, maximumDepth: Event.maximumInboundDepth) { json in
                json.forEachMember(among: Self.knownMembers) { index, name, _ in
                    guard index == nil else { return true }
                    let name = name()
                    Self.add(name, NearMiss.slip(name, among: Self.members), eventID, to: &mistakes)
                    return mistakes.count < ClientMember.maximumNamed
                }
            }
        }
        return mistakes
    }

    private static func add(_ name: String, _ meant: String?, _ eventID: String, to mistakes: inout [ClientMistake]) {
        guard let meant, mistakes.count < ClientMember.maximumNamed else { return }
        mistakes.append(ClientMistake(name, .unknownAttribute, known: [meant], eventID: eventID))
    }

    /// Whether a header's name begins with `ce` and one more character, in any case.
    private static func isAttribute(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count > 3 && name[0] | 0x20 == UInt8(ascii: "c") && name[1] | 0x20 == UInt8(ascii: "e")
    }

    /// The header that another one is a slip of: in its attribute's name, or in its prefix.
    private static func header(meantBy name: String) -> String? {
        let attribute = String(name.dropFirst(3))
        let meant =
            name.hasPrefix("ce_")
            ? NearMiss.slip(attribute, among: Self.headers) : Self.headers.first { $0 == attribute.lowercased() }
        return meant.map { "ce_\($0)" }
    }
}
