import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import IntentLab
import Testing
import WireDocuments
import WireRules

@Suite("Written events match their descriptions")
struct WireTests {
    /// Has one piece of news.
    private struct NewsHandler: IntentHandler {
        var handling: Handling<ProbeIntent> {
            Handle(self.handle)
            UpdateStatus(every: .milliseconds(1), self.statusUpdate)
        }

        func handle(intent: ProbeIntent, context: TurnContext) async throws -> IntentResponse<ProbeIntent> {
            try context.notify("news", saying: "News follows.", details: ["n": 1])
            if context.followsFrom == nil { try context.start("again", intent) }
            return IntentResponse(code: .success)
        }

        func statusUpdate(for intent: ProbeIntent, context: TurnContext) async throws -> StatusUpdate<ProbeIntent> {
            StatusUpdate(IntentResponse(code: .success, details: ["news": 1]), isLast: true)
        }
    }

    /// Plays conversations that use every type of event.
    private static func playAll(_ body: (Pipeline) async throws -> Void) async throws {
        let registrations = [
            IntentRegistration(confirmation: .always) { FailingHandler() },
            IntentRegistration { NewsHandler() },
        ]
        var settings = RuntimeSettings()
        // A retried turn must not say that it is in progress, however slow this machine is.
        settings.inProgressAfter = .seconds(3_600)
        settings.formats.writes = 2
        try await Pipeline.with(registrations, restrictedWhileLocked: ["GreetIntent"], settings: settings) { pipeline in
            try await pipeline.request(
                "GreetIntent",
                ["name": "Jeff", "colour": "red"],
                subject: "i1",
                extra: ["device": ["id": "d1", "locked": true], "groupIdentifier": "g"]
            )
            #expect(try await pipeline.next(of: "i1").data["kind"] == "unlockRequired")
            try await pipeline.send(.deviceUnlocked, data: ["user": ["id": "u1"], "device": ["id": "d1"]])
            let first = try await pipeline.next(of: "i1")
            try await pipeline.answer(first, ["action": "decline", "corrections": ["name": "stays"]])
            let second = try await pipeline.next(of: "i1")
            let aside: JSONObject = ["setsAside": second.data["promptId"] ?? .null]
            try await pipeline.request("ProbeIntent", subject: "i0", extra: aside)
            #expect(try await pipeline.next(of: "i1").data["front"] == true)
            try await pipeline.answer(second, [:])
            #expect(try await pipeline.next(of: "i1").data["endReason"] == "error")
            try await pipeline.answer(second, [:])
            #expect(try await pipeline.next { $0.type == "event.rejected" }.data["reason"] == "duplicate")
            try await pipeline.request(
                "GreetIntent",
                ["name": "passes"],
                subject: "i2",
                extra: ["device": ["locked": false]]
            )
            // It fails once: a timer starts the next attempt.
            try await pipeline.answer(try await pipeline.next(of: "i2"), [:])
            #expect(try await pipeline.next(of: "i2").data["status"] == "success")
            try await pipeline.request("ProbeIntent", subject: "i3", extra: ["presentation": ["context": "card"]])
            _ = try await pipeline.next(of: "i3")
            #expect(try await pipeline.next(of: "i3").type == "user.notified")
            #expect(try await pipeline.next(of: "i3").type == "status.updated")
            try await body(pipeline)
        }
    }

    @Test("R11: every type of event that intentd writes occurs, and each of its members is described")
    func everyEventTypeIsDescribed() async throws {
        try await Self.playAll { pipeline in
            let check = try await WireCheck.all(of: pipeline.deployment, on: pipeline.log)
            #expect(check.defects.isEmpty, "\(check.defects)")
            // Commands write what operators do.
            let written = EventType.allCases.filter { !$0.isInbound && $0 != .operatorActed }.map(\.rawValue)
            #expect(Set(check.counts.keys) == Set(written + ["dead-letter"]))
        }
    }

    /// A difference between a record and its description.
    enum Change: CaseIterable, Sendable {
        case unknownMember
        case missingMember
        case otherType
        case unknownHeader
        case missingHeader
        case otherID
        case otherKey
        case unorderedMembers

        /// The record with that change.
        func apply(to record: LogRecord) throws -> LogRecord {
            var changed = record
            var data = try #require(try JSONValue(parsing: record.value ?? []).object)
            switch self {
            case .unknownMember: data["surprise"] = 1
            case .missingMember: data["user", default: .null] = .null
            case .otherType: data["user"] = "ada"
            case .unknownHeader: changed.headers.append(LogHeader("ce_surprise", "1"))
            case .missingHeader: changed.headers.removeAll { $0.name == "ce_time" }
            case .otherID:
                changed.headers.removeAll { $0.name == "ce_id" }
                changed.headers.append(LogHeader("ce_id", "one"))
            case .otherKey: changed.key = Array("somebody".utf8)
            case .unorderedMembers: break
            }
            changed.value = JSONValue.object(data).utf8
            if self == .unorderedMembers { changed.value = Array("{ ".utf8) + (changed.value ?? []).dropFirst() }
            return changed
        }
    }

    @Test("A record that differs in anything is found", arguments: Change.allCases)
    func findsEveryDifference(change: Change) async throws {
        try await Self.playAll { pipeline in
            for topic in [Topic.resolved, .confirmed, .signals, .responses, .userActivities, .journal] {
                for record in try await pipeline.records(of: topic) {
                    guard EventType(rawValue: record.header("ce_type") ?? "")?.isInbound == false else { continue }
                    // A rejection names no user in its data, but in a header.
                    if record.header("ce_type") == "event.rejected", change == .missingMember || change == .otherType {
                        continue
                    }
                    var check = WireCheck()
                    check.observe(try change.apply(to: record), of: topic)
                    #expect(check.defects.count == 1, "\(topic) \(record.header("ce_type") ?? "")")
                }
            }
        }
    }

    @Test("R71: a prompt with displays, and the interaction that is kept with it, match their descriptions")
    func promptsWithDisplaysFollowTheirRule() async throws {
        try await Pipeline.with([IntentRegistration(usesLedger: false) { VetHandler() }]) { pipeline in
            try await pipeline.request("VetIntent", ["pet": "Bello"], subject: "i1")
            let choice = try await pipeline.next(of: "i1")
            #expect(choice.data["optionDisplays"]?.array?.count == 2)
            try await pipeline.answer(choice, ["choice": 0])
            #expect(try await pipeline.next(of: "i1").data["optionDisplays"]?.array?.count == 3)
            let check = try await WireCheck.all(of: pipeline.deployment, on: pipeline.log)
            #expect(check.defects.isEmpty, "\(check.defects)")
        }
    }

    @Test("R71: prompts have every member that a client of behaviour 5 reads, in the same form")
    func oldClientReadsPrompt() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        func schema(_ path: String) throws -> JSONValue {
            try JSONValue(parsing: Array(Data(contentsOf: tests.appending(path: path))))
        }
        let old = try schema("Golden/wire-5/prompt.issued.json")
        let new = try schema("../Documentation/wire/events/prompt.issued.json")
        #expect(old["properties"]?.object?.isEmpty == false && old["$defs"]?.object?.isEmpty == false)
        Self.expect(new, contains: old, at: "")
    }

    /// Checks that a schema describes everything that an older one does, in the same form; objects may have more members.
    private static func expect(_ new: JSONValue?, contains old: JSONValue, at path: String) {
        guard let old = old.object else {
            #expect(new == old, "\(path)")
            return
        }
        for (key, value) in old where key != "description" {
            let path = "\(path)/\(key)"
            if key == "required" {
                let required = Set(new?[key]?.array ?? [])
                #expect(required.isSuperset(of: value.array ?? []), "\(path)")
            } else if key == "properties" || key == "$defs" {
                for (name, member) in value.object ?? [:] {
                    Self.expect(new?[key]?[name], contains: member, at: "\(path)/\(name)")
                }
            } else {
                Self.expect(new?[key], contains: value, at: path)
            }
        }
        let forms = Set(old.keys).union(["description", "$defs"])
        #expect((new?.object?.keys).map(forms.isSuperset(of:)) == true, "\(path)")
    }

    @Test("A shared description is identical wherever it is used")
    func sharedDescriptionsAreIdentical() {
        var seen: JSONObject = [:]
        for rule in EventRule.all {
            let writer = SchemaWriter(rule.strictness)
            for (name, schema) in writer.definitions(ValueRule.object(rule.data).sharedRules) {
                #expect(seen[name] ?? schema == schema, "\(name) in \(rule.type.rawValue)")
                seen[name] = schema
            }
        }
        #expect(seen.keys.contains("Interaction") && seen.keys.contains("Intent"))
    }
}
