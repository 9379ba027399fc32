import IntentEvents
import IntentKit
import Testing

@testable import IntentRuntime

@Suite("A state entry is parsed once")
struct StateEntryTests {
    static func interaction(_ parameters: JSONObject = ["items": [1, 2.5, "three"]]) -> Interaction {
        var interaction = Interaction(
            id: "i1",
            request: "0:1",
            startedAt: Timestamp(milliseconds: 1),
            user: RequestingUser(id: "u1"),
            device: RequestingDevice(),
            locale: "en-US",
            intent: IntentSnapshot(name: "Order", parameters: parameters)
        )
        interaction.prompt = Prompt(
            number: 1,
            kind: .needsValue,
            parameter: "items",
            expiresAt: Timestamp(milliseconds: 5)
        )
        return interaction
    }

    static func parked(headers: [LogHeader] = []) -> ParkedTurn {
        let record = LogRecord(
            topicPartition: TopicPartition("intents.requests", 0),
            offset: 7,
            timestamp: 0,
            key: Array("u1".utf8),
            value: [0xFF],
            headers: headers
        )
        return ParkedTurn(
            event: StoredRecord(record, topic: .requests),
            interactionID: "i1",
            startedAt: Timestamp(milliseconds: 1),
            timeoutAt: Timestamp(milliseconds: 1_000)
        )
    }

    @Test("An entry that a turn has written is known without parsing, and journaled as it is")
    func writtenEntryIsKnownWithoutReading() {
        let interaction = Self.interaction()
        let entry = StateEntry(interaction)
        #expect(entry.known(Interaction.self) == interaction && entry.text == interaction.utf8)
        let parsed = entry.parse(Interaction.self)
        #expect(parsed.form == interaction && parsed.journaled == entry.text && parsed.updated == nil)
        #expect(entry == StateEntry(text: entry.text), "An entry is its text.")
        #expect(entry.known(KnownInteraction.self) == nil && entry.form(KnownInteraction.self) == nil)
    }

    @Test("A restored entry is parsed when it is first needed, and kept from then on; its memory is counted")
    func restoredEntryIsParsedOnce() {
        let table = StateTable()
        let interaction = Self.interaction()
        table.set(.interaction("0:1"), user: "u1", interaction.utf8)
        let size = table.byteCount
        #expect(table.entry(.interaction("0:1"), user: "u1")?.isRead == false)
        #expect(table.form(.interaction("0:1"), user: "u1", Interaction.self) == interaction)
        #expect(table.entry(.interaction("0:1"), user: "u1")?.known(Interaction.self) == interaction)
        #expect(table.byteCount > size)
        table.set(.interaction("0:1"), user: "u1", nil)
        #expect(table.byteCount == 0)
    }

    @Test("The parsed form of an entry that has changed since is not kept")
    func outdatedFormIsNotKept() throws {
        let table = StateTable()
        let source = table.source(user: "u1")
        table.set(.interaction("0:1"), user: "u1", Self.interaction().utf8)
        let updated = try #require(source.entry(.interaction("0:1"))?.parse(Interaction.self).updated)
        let changed = Self.interaction(["items": []])
        table.set(.interaction("0:1"), user: "u1", changed.utf8)
        source.keep(updated, .interaction("0:1"))
        #expect(table.form(.interaction("0:1"), user: "u1", Interaction.self) == changed)
        table.set(.interaction("0:1"), user: "u1", nil)
        source.keep(updated, .interaction("0:1"))
        #expect(!table.contains("u1"))
    }

    @Test("A text that another program wrote is journaled in canonical form, and parsed whenever it is needed")
    func foreignTextIsJournaledCanonically() {
        let interaction = Self.interaction()
        let entry = StateEntry(text: Array(" \(String(decoding: interaction.utf8, as: UTF8.self))\n".utf8))
        let parsed = entry.parse(Interaction.self)
        #expect(parsed.form == interaction && parsed.journaled == interaction.utf8 && parsed.updated == nil)
        #expect(entry.text != parsed.journaled, "The topic's bytes stay as they are.")
    }

    @Test("Invalid JSON is journaled as its digest")
    func invalidJSONIsJournaledAsDigest() {
        let parsed = StateEntry(text: [0x7B]).parse(Interaction.self)
        #expect(parsed.form == nil && parsed.updated == nil)
        #expect(parsed.journaled == StateEntry.value([0x7B]).utf8)
    }

    @Test(
        "An entry that would read back differently than it was written is parsed: a replayed turn has only the text",
        arguments: [JSONValue.number(.infinity), .array([.number(.nan)]), ["a": .number(-.infinity)]]
    )
    func valuesThatReadDifferentlyAreParsed(value: JSONValue) {
        let entry = StateEntry(Self.interaction(["x": value]))
        #expect(!entry.isRead)
        #expect(entry.form(Interaction.self)?.intent.parameters["x"] != value)
        var asked = Self.interaction()
        asked.prompt?.options = [value]
        #expect(!StateEntry(asked).isRead)
        var shown = Self.interaction()
        shown.shown = value
        #expect(!StateEntry(shown).isRead)
    }

    @Test("An entry that is nested more deeply than the parser accepts is not kept")
    func tooDeepEntryIsNotKept() {
        var value = JSONValue.null
        for _ in 0..<200 { value = [value] }
        #expect(!StateEntry(Self.interaction(["x": value])).isRead)
    }

    @Test("A parked turn keeps its event's bytes, unless its text cannot hold them")
    func parkedTurnKeepsEventBytes() {
        #expect(StateEntry(Self.parked(headers: [LogHeader("h", bytes: [0xFF])])).isRead)
        let content = RecordContent(key: nil, value: nil, headers: [LogHeader("hh", "v")])
        var bytes = content.bytes
        // The name's first byte: after key, value and its own length, of four bytes each.
        bytes[12] = 0xFF
        var parked = Self.parked()
        parked.event.content = bytes.withUnsafeBytes { Self.content($0) }
        #expect(!StateEntry(parked).isRead)
    }

    /// A record without key and value, with one header, of bytes in the layout of records.
    private static func content(_ bytes: UnsafeRawBufferPointer) -> RecordContent {
        let (name, value) = (bytes[12..<14], bytes[18...])
        let parts = [nil, nil, UnsafeRawBufferPointer(rebasing: name), UnsafeRawBufferPointer(rebasing: value)]
        return parts.withUnsafeBufferPointer { RecordContent(copying: $0) }
    }

    @Test("Of the known interactions only what is open here is kept as it is")
    func rememberedEntryKeepsOnlyOpenParts() {
        let interaction = Self.interaction()
        let at = Timestamp(milliseconds: 3)
        #expect(StateEntry(KnownInteraction(interaction, at: at, whereabouts: .here)).isRead)
        for whereabouts in [KnownInteraction.Whereabouts.passed, .returned, .ended] {
            let entry = StateEntry(KnownInteraction(interaction, at: at, whereabouts: whereabouts))
            #expect(!entry.isRead && entry.parse(KnownInteraction.self).updated == nil)
            #expect(entry.form(KnownInteraction.self)?.whereabouts == whereabouts)
        }
    }
}
