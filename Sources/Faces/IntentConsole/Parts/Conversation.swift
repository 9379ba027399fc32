internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime

/// A conversation as people saw it, masked.
struct Conversation {
    struct Line {
        enum Speaker {
            /// The user, or the app for them.
            case user
            case intentd
            /// Neither: an event.
            case nobody
        }

        var position: RecordPosition
        var at: Timestamp
        var speaker: Speaker
        var text: HTML
        /// Its CSS classes, such as `end` or `end bad`.
        var cssClass: HTML = ""
        /// Whether a view is drawn beside it.
        var hasView = false
    }

    /// The lines, in order.
    private(set) var lines: [Line] = []

    /// Makes the lines of a conversation.
    ///
    /// - Parameters:
    ///   - story: The interaction's records.
    ///   - turns: Its turns.
    ///   - failure: Why it failed, in words; nil if it did not.
    ///   - masking: Masks sensitive values.
    init(_ story: InteractionStory, _ turns: [TurnAccount], failure: String? = nil, masking: Masking) {
        // An answer names no parameter: the turn that processed it knows which one was asked for.
        var answers: [RecordPosition: JSONValue] = [:]
        for turn in turns {
            if let position = turn.event?.position { answers[position] = masking.masked(turn)["data"] }
        }
        // By the events' ids: a stage may have forwarded an event before its turn.
        var mistakes: [String: [ClientMistake]] = [:]
        for turn in turns where mistakes[turn.record.eventID] == nil {
            mistakes[turn.record.eventID] = turn.record.mistakes.isEmpty ? nil : turn.record.mistakes
        }
        var options: [String: [String]] = [:]
        var said: Set<String> = []
        var kind: String?
        let intent = story.interaction.intent
        for event in story.events {
            guard let raw = event.json, let type = event.type.flatMap(EventType.init(rawValue:)) else { continue }
            // An event that a stage forwarded unchanged to the next stage was said only once.
            if let id = event.id, event.position.topic != .responses, !said.insert(id).inserted { continue }
            var data = answers[event.position] ?? masking.masked(raw)
            switch type {
            case .promptIssued:
                kind = raw["kind"]?.string
                if let id = raw["promptId"]?.string { options[id] = Self.options(of: data) }
                // Text about a sensitive value may contain the value.
                if let name = raw["parameter"]?.string, masking.contains(name, of: intent), raw["kind"] != "needsValue"
                {
                    data = data.with("dialog", .string("\(name)?"))
                }
                self.add(event, .intentd, Self.prompt(data))
            case .intentResponded:
                self.add(
                    event,
                    data["terminal"]?.bool == false ? .nobody : .intentd,
                    Self.response(data, failure),
                    Self.cssClass(data)
                )
            case .statusUpdated where data["started"] != nil:
                self.add(event, .nobody, "<div>Not sent: \(Self.unsent(data))</div>")
            case .statusUpdated:
                self.add(event, .intentd, "<div>Status update</div>\(Format.pairs(data["response"]?.object ?? [:]))")
            case .userNotified:
                self.add(
                    event,
                    .intentd,
                    "<div>\(data["dialog"]?.string ?? "")</div>\(Format.pairs(data["details"]?.object ?? [:]))"
                )
            case .eventRejected:
                self.add(
                    event,
                    .nobody,
                    "<div>Rejected: \(data["reason"]?.string ?? "rejected"). \(data["detail"]?.string ?? "")</div>"
                )
            case .intentRequested:
                let parameters = Format.pairs(data["intent"]?["parameters"]?.object ?? [:])
                self.add(
                    event,
                    story.chain.origin == nil ? .user : .nobody,
                    "<div><strong>\(data["intent"]?["name"]?.string ?? "?")</strong></div>\(parameters)"
                )
            case .promptAnswered:
                let asked = data["promptId"]?.string.flatMap { options[$0] } ?? []
                self.add(event, .user, Self.answer(data, options: asked))
            case .interactionCancelled:
                self.add(event, .user, "<div>Cancel that.</div>")
            // The event that unlocks a device belongs to no interaction: each interaction that waits for it continues
            // by an event of its own stage.
            case .interactionResumed:
                self.add(
                    event,
                    .nobody,
                    kind == "authenticationRequired"
                        ? "<div>The user signed in.</div>" : "<div>The device was unlocked.</div>"
                )
            case .appResponded:
                self.add(
                    event,
                    .user,
                    "<div>The app: <strong>\(data["code"]?.string ?? "?")</strong></div>\(Format.pairs(data["response"]?.object ?? [:]))"
                )
            case .operatorDecided:
                let words: HTML = data["dialog"]?.string.map { "<div>\($0)</div>" } ?? ""
                self.add(
                    event,
                    .nobody,
                    "<div>An operator decided: <strong>\(data["decision"]?.string ?? "?")</strong></div>\(words)\(Format.pairs(data["details"]?.object ?? [:]))"
                )
            case .userActivityCreated:
                self.add(
                    event,
                    .nobody,
                    "<div>Handed to the app: \(data["title"]?.string ?? data["activityType"]?.string ?? "a user activity")</div>"
                )
            default: continue
            }
            if event.position.topic != .responses {
                let found = mistakes[event.id ?? event.position.description] ?? []
                self.warn(found.map { $0.detail(intent: intent) })
            } else if type == .eventRejected {
                self.warn((data["warnings"]?.array ?? []).compactMap { $0["detail"]?.string })
            }
            if raw["view"]?["html"]?.string != nil { self.lines[self.lines.count - 1].hasView = true }
        }
    }

    /// The follow-ups that are not sent, with the reasons.
    private static func unsent(_ data: JSONValue) -> String {
        (data["started"]?.array ?? [])
            .map { "\($0["name"]?.string ?? "?") (\($0["state"]?.string ?? "?"))" }.joined(separator: ", ")
    }

    private mutating func add(_ event: RecordedEvent, _ speaker: Line.Speaker, _ text: HTML, _ cssClass: HTML = "") {
        self.lines.append(
            Line(position: event.position, at: event.timestamp, speaker: speaker, text: text, cssClass: cssClass)
        )
    }

    /// Adds to the last line what its client probably did not mean (R79).
    private mutating func warn(_ details: [String]) {
        for detail in details {
            self.lines[self.lines.count - 1].text +=
                "<div class=\"small\"><span class=\"pill warn\">warning</span> \(detail)</div>"
        }
    }

    private static func prompt(_ data: JSONValue) -> HTML {
        var text: HTML = "<div>\(data["dialog"]?.string ?? "?")</div>"
        if let reason = data["reason"]?["name"]?.string { text += "<div class=\"small\">because: \(reason)</div>" }
        if let again = data["again"]?["detail"]?.string { text += "<div class=\"small\">again: \(again)</div>" }
        let options = Self.options(of: data)
        if !options.isEmpty {
            let items = options.prefix(40).map { option -> HTML in "<li>\(Format.short(option))</li>" }
            text += "<ol class=\"choices\">\(Array(items))</ol>"
        }
        if data["kind"] == "intentConfirmation" { text += Format.pairs(data["response"]?.object ?? [:]) }
        return text
    }

    /// The options of a prompt, in the words that the user sees; images are not loaded.
    static func options(of prompt: JSONValue) -> [String] {
        OptionDisplay.all(in: prompt)?.map(\.text) ?? (prompt["options"]?.array ?? []).map(Format.value)
    }

    private static func answer(_ data: JSONValue, options: [String]) -> HTML {
        var text: HTML
        let choice = data["choice"]?.integer.flatMap { Int(exactly: $0) }
        switch data["action"]?.string ?? "accept" {
        case "cancel": text = "<div>Cancel that.</div>"
        case "decline": text = "<div>No.</div>"
        default:
            if let value = data["value"], !value.isNull {
                text = "<div>\(Format.short(Format.value(value), 2_000))</div>"
            } else if let choice {
                let named = options.indices.contains(choice) ? options[choice] : ""
                text = named.isEmpty ? "<div>Number \(choice + 1).</div>" : "<div>\(named)</div>"
            } else {
                text = "<div>Yes.</div>"
            }
        }
        if let corrections = data["corrections"]?.object, !corrections.isEmpty {
            text += "<div class=\"small\">but</div>\(Format.pairs(corrections))"
        }
        return text
    }

    private static func response(_ data: JSONValue, _ failure: String?) -> HTML {
        let code = data["code"]?.string ?? data["status"]?.string ?? ""
        let said: HTML = data["dialog"]?.string.map { "<div>\($0)</div>" } ?? ""
        let details: HTML = "\(said)\(Format.pairs(data["response"]?.object ?? [:]))"
        guard data["terminal"]?.bool != false else {
            let percent = data["progress"]?["fraction"]?.number.map { "\(Int((min(max($0, 0), 1) * 100).rounded())) %" }
            let words = [code, percent, data["progress"]?["text"]?.string].compactMap { $0 }.joined(separator: " ")
            return "<div>In progress: \(words)</div>\(details)"
        }
        let reason = data["endReason"]?.string ?? "nominal"
        let text: HTML =
            reason == "nominal" ? "" : " <span class=\"soft\">(\(failure ?? EndReasonWords.text(reason)))</span>"
        return "<div><strong>\(code)</strong>\(text)</div>\(details)\(Self.effects(data))"
    }

    /// What was done although the interaction failed.
    private static func effects(_ data: JSONValue) -> HTML {
        guard data["status"] == "failure" else { return "" }
        var text: HTML = ""
        let names = (data["effects"]?.array ?? []).compactMap(\.string)
        if !names.isEmpty {
            text += "<div class=\"small\">Effects made despite the failure: \(names.joined(separator: ", "))</div>"
        }
        if data["effectsIncomplete"] == true {
            text += "<div class=\"small\">More may have been done than is known.</div>"
        }
        return text
    }

    private static func cssClass(_ data: JSONValue) -> HTML {
        guard data["terminal"]?.bool != false else { return "" }
        switch data["status"]?.string {
        case "success": return " end"
        case "failure": return " end bad"
        default: return " end warn"
        }
    }

    /// The conversation as a list.
    var html: HTML {
        guard !self.lines.isEmpty else { return "<div class=\"empty\"><p>No messages yet.</p></div>" }
        let items = self.lines.map { line -> HTML in
            let side: HTML
            let who: HTML
            switch line.speaker {
            case .user: (side, who) = ("me", "User")
            case .intentd: (side, who) = ("them", "intentd")
            case .nobody: (side, who) = ("mid", "")
            }
            let path: HTML =
                "/records/\(line.position.topic.rawValue)/\(line.position.partition)/\(line.position.offset)"
            let view: HTML =
                line.hasView
                ? "<iframe class=\"drawn\" title=\"What the app would draw\" sandbox src=\"/views/\(line.position.partition)/\(line.position.offset)\"></iframe>"
                : ""
            return """
                <li class="\(side)\(line.cssClass)"><div class="who"><span>\(who)</span>\
                <a class="soft" href="\(path)" title="\(line.position.description)">\(Format.clock(line.at))</a></div>\
                <div class="say">\(line.text)</div>\(view)</li>
                """
        }
        return "<ol class=\"talk\">\(items)</ol>"
    }
}

extension JSONValue {
    /// The object with one member set.
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard var members = self.object else { return self }
        members[name] = value
        return .object(members)
    }
}
