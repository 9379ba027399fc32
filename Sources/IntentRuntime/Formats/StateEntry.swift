internal import IntentEvents
internal import IntentKit

/// What a state entry holds: its text, and what that says, once a turn has written or read it.
///
/// So an entry is read at most once while its user is in memory, and one that a turn writes is not read at all. Two entries
/// are the same when their texts are.
package struct StateEntry: Hashable, Sendable {
    /// A text with what it says: one reference, since entries are passed from hand to hand.
    private protocol Reading: AnyObject, Sendable {
        var text: [UInt8] { get }
    }

    private final class ReadForm<Form: StateForm>: Reading {
        let text: [UInt8]
        let form: Form

        init(_ text: [UInt8], _ form: Form) {
            self.text = text
            self.form = form
        }
    }

    private enum Content: Sendable {
        /// Nobody has read it.
        case unread([UInt8])
        /// It is known what it says; its text is canonical.
        case read(any Reading)
    }

    /// What looking at an entry comes to.
    struct Look<Form: StateForm> {
        /// What it says; nil where it cannot be read as that.
        var form: Form?
        /// What the journal has of it: the canonical text, or what stands for bytes that are no JSON.
        var journaled: [UInt8]
        /// The entry, with what it says, if that is news and worth keeping.
        var news: StateEntry?
    }

    private let content: Content

    /// An entry of that text, which nobody has read.
    package init(text: [UInt8]) { self.content = .unread(text) }

    /// An entry of that form.
    package init<Form: StateForm>(_ form: Form) {
        self.init(form, text: form.utf8)
        assert(!self.isRead || Form(text: self.text) == form, "A turn that is run again would read something else.")
    }

    private init<Form: StateForm>(_ form: Form, text: [UInt8]) {
        self.content = form.isKept ? .read(ReadForm(text, form)) : .unread(text)
    }

    /// The JSON text, as it stands on the topic.
    package var text: [UInt8] {
        switch self.content {
        case .unread(let text): text
        case .read(let reading): reading.text
        }
    }

    /// Whether it is known what it says.
    var isRead: Bool { if case .read = self.content { true } else { false } }

    /// About how many bytes it takes in memory; what it says takes about twice its text and a little.
    var byteCount: Int { self.isRead ? 3 * self.text.count + 512 : self.text.count }

    /// What it says, if that is known already.
    func known<Form: StateForm>(_: Form.Type) -> Form? {
        guard case .read(let reading) = self.content else { return nil }
        return (reading as? ReadForm<Form>)?.form
    }

    /// What it says; nil where it cannot be read as that.
    func form<Form: StateForm>(_: Form.Type) -> Form? { self.known(Form.self) ?? Form(text: self.text) }

    /// What it says, with what the journal has of it.
    func look<Form: StateForm>(_: Form.Type) -> Look<Form> {
        if let form = self.known(Form.self) { return Look(form: form, journaled: self.text) }
        let text = self.text
        var look = Look<Form>(journaled: [])
        do throws(JSONParsingError) {
            try text.withUnsafeBufferPointer { (bytes) throws(JSONParsingError) in
                try JSONTape.look(at: bytes) { json in
                    look.form = Form(json)
                    let isCanonical = json.canonicalContent?.count == text.count
                    look.journaled = isCanonical ? text : JSONText.bytes { json.write(to: &$0) }
                    guard isCanonical || look.journaled == text, let form = look.form, form.isKept else { return }
                    look.news = StateEntry(form, text: text)
                }
            }
        } catch {
            look.journaled = Self.value(text).utf8
        }
        return look
    }

    /// Whether two entries have the same text.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.text == rhs.text }

    /// Hashes the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.text) }
}

/// What entries hold by their names: whether this version can read one.
extension StateEntry {
    /// Whether an entry can be read; of names that this version does not know nothing is said.
    ///
    /// What is remembered of interactions that have ended is not looked at: there are millions, and what cannot be read of
    /// them is forgotten when its time comes.
    static func isReadable(_ name: StateName, _ text: [UInt8]) -> Bool {
        if name == StateName.parked { return ParkedTurn(text: text) != nil }
        if name.hasPrefix(StateName.interactions) { return Interaction(text: text) != nil }
        if name.hasPrefix(StateName.followedInteractions) { return FollowedInteraction(text: text) != nil }
        if name.hasPrefix(StateName.queue) { return ParkedTurn(text: text) != nil || StoredRecord(text: text) != nil }
        if name.hasPrefix(StateName.vocabularies) {
            return (try? JSONValue(parsing: text)).flatMap(UserVocabulary.init(json:)) != nil
        }
        return true
    }

    /// Whether entries of that name are looked at when they are read back.
    static func isChecked(_ name: StateName) -> Bool {
        !name.hasPrefix(StateName.knownInteractions)
    }

    /// An entry's value; of bytes that are no JSON their digest, which no reader takes for anything else.
    ///
    /// So the journal tells an entry that could not be read from one that was not there, and a replay does too.
    static func value(_ bytes: [UInt8]) -> JSONValue {
        (try? JSONValue(parsing: bytes)) ?? ["unreadable": .string(RecordDigest.of(bytes))]
    }
}
