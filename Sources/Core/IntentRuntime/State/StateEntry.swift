internal import IntentEvents
internal import IntentKit

/// A state entry: its text, and its parsed form once a turn has written or read it.
///
/// So an entry is parsed at most once while its user is in memory, and an entry that a turn writes is not parsed at
/// all. Two entries are equal when their texts are.
package struct StateEntry: Hashable, Sendable {
    /// A text with its parsed form: one reference, since entries are passed around.
    private protocol Reading: AnyObject, Sendable {
        var text: [UInt8] { get }
    }

    private final class ReadForm<Form: StateForm>: Reading {
        let text: [UInt8]
        let form: Form

        init(_ text: [UInt8], _ form: consuming Form) {
            self.text = text
            self.form = form
        }
    }

    private enum Content: Sendable {
        case unread([UInt8])
        /// Its parsed form is known; its text is canonical.
        case read(any Reading)
    }

    /// The result of reading an entry.
    struct Parsed<Form: StateForm> {
        /// Its parsed form; nil if it cannot be parsed as that type.
        var form: Form?
        /// Its text for the journal: the canonical text, or a placeholder for bytes that are no JSON.
        var journaled: [UInt8]
        /// The entry with its parsed form, if that is new and worth keeping.
        var updated: StateEntry?
    }

    private let content: Content

    /// Makes an entry from a text that has not been parsed.
    package init(text: [UInt8]) { self.content = .unread(text) }

    package init<Form: StateForm>(_ form: consuming Form) {
        // What the assertion reads must not be consumed.
        let form = form
        let text = form.utf8
        assert(!form.isKept || Form(text: text) == form, "A turn that is run again would read another value.")
        self.init(form, text: text)
    }

    private init<Form: StateForm>(_ form: consuming Form, text: [UInt8]) {
        self.content = form.isKept ? .read(ReadForm(text, form)) : .unread(text)
    }

    /// The JSON text, as it is on the topic.
    package var text: [UInt8] {
        switch self.content {
        case .unread(let text): text
        case .read(let reading): reading.text
        }
    }

    /// Whether its parsed form is known.
    var isRead: Bool { if case .read = self.content { true } else { false } }

    /// An estimate of its size in memory; the parsed form takes about twice its text and a little more.
    var byteCount: Int { self.isRead ? 3 * self.text.count + 512 : self.text.count }

    /// Its parsed form, if it is known already.
    func known<Form: StateForm>(_: Form.Type) -> Form? {
        guard case .read(let reading) = self.content else { return nil }
        return (reading as? ReadForm<Form>)?.form
    }

    /// Its parsed form; nil if it cannot be parsed as that type.
    func form<Form: StateForm>(_: Form.Type) -> Form? { self.known(Form.self) ?? Form(text: self.text) }

    /// Its parsed form, with its text for the journal.
    func parse<Form: StateForm>(_: Form.Type) -> Parsed<Form> {
        if let form = self.known(Form.self) { return Parsed(form: form, journaled: self.text) }
        let text = self.text
        var parsed = Parsed<Form>(journaled: [])
        do throws(JSONParsingError) {
            try text.withUnsafeBufferPointer { (bytes) throws(JSONParsingError) in
                try JSONTape.withView(of: bytes) { json in
                    parsed.form = Form(json)
                    let isCanonical = json.canonicalContent?.count == text.count
                    parsed.journaled = isCanonical ? text : JSONText.bytes { json.write(to: &$0) }
                    guard isCanonical || parsed.journaled == text, let form = parsed.form, form.isKept else { return }
                    parsed.updated = StateEntry(form, text: text)
                }
            }
        } catch {
            parsed.journaled = Self.value(text).utf8
        }
        return parsed
    }

    /// Whether two entries have the same text.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.text == rhs.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.text) }
}

extension StateEntry {
    /// An entry's value; for bytes that are no JSON, their digest in a form that no reader mistakes for anything else.
    ///
    /// So the journal, and a replay, can tell an unreadable entry from a missing one.
    static func value(_ bytes: [UInt8]) -> JSONValue {
        (try? JSONValue(parsing: bytes)) ?? ["unreadable": .string(RecordDigest.of(bytes))]
    }
}

/// What a state entry holds: read once, as its name says.
enum StateContent {
    case parked(ParkedTurn)
    case open(Interaction)
    /// An interaction that has ended, but has status updates to come.
    case followed(FollowedInteraction)
    /// A follow-up that waits for its time.
    case pending(ScheduledFollowUp)
    /// An event that waits behind the parked turn.
    case queued(QueuedEvent)
    /// A known interaction. It is not read: there are millions, and an unreadable one is dropped when it expires.
    case known
    /// Anything else, also what this version does not know.
    case other
    case unreadable

    init(_ name: StateName, _ text: [UInt8]) {
        if name.hasPrefix(StateName.knownInteractions) {
            self = .known
        } else if name == StateName.parked {
            self = ParkedTurn(text: text).map { .parked($0) } ?? .unreadable
        } else if name.hasPrefix(StateName.interactions) {
            self = Interaction(text: text).map { .open($0) } ?? .unreadable
        } else if name.hasPrefix(StateName.followedInteractions) {
            self = FollowedInteraction(text: text).map { .followed($0) } ?? .unreadable
        } else if name.hasPrefix(StateName.followUps) {
            self = ScheduledFollowUp(text: text).map { .pending($0) } ?? .unreadable
        } else if name.hasPrefix(StateName.queue) {
            self = QueuedEvent(text: text).map { .queued($0) } ?? .unreadable
        } else if name.hasPrefix(StateName.vocabularies) {
            let vocabulary = (try? JSONValue(parsing: text)).flatMap(UserVocabulary.init(json:))
            self = vocabulary == nil ? .unreadable : .other
        } else {
            self = .other
        }
    }

    var isReadable: Bool { if case .unreadable = self { false } else { true } }
}
