import IntentKit

/// The script of a handler, from a scenario's `service`.
struct Script: Hashable, Sendable {
    /// The script of one stage.
    struct Act: Hashable, Sendable {
        /// First sleeps this many milliseconds.
        var sleep = 0
        /// Fails with a transient error on this many first attempts.
        var transientFailures = 0
        /// Fails permanently.
        var isBroken = false
        /// Never answers.
        var hangs = false
        /// The code of its report.
        var code: String?
    }

    /// The script of the first parameter's resolver; its code is ignored.
    var resolve = Act()
    var confirm = Act()
    var handle = Act()
    /// Whether `confirm` requires a sign-in.
    var wantsSignIn = false
    /// Whether `confirm` requires the user's yes.
    var wantsYes = false
    /// Whether `confirm` shows something different each time.
    var showsNews = false
    /// Whether `handle` calls an effect before anything else but sleeping.
    var hasEffect = false
    /// Whether `handle` begins with a committed step (R74c).
    var hasStep = false
    /// Whether `handle` notifies the user with its response (R77a).
    var notifies = false
    /// A value that `confirm` or `handle` cannot use: it asks for another one (R72c).
    var taken: Taken?
    /// The value of the first parameter with which its resolver ends the interaction (R72b).
    var ends: JSONValue?

    /// A value that a later stage refuses.
    struct Taken: Hashable, Sendable {
        var isOfHandle: Bool
        var parameter: String
        var value: JSONValue
    }

    /// The text for `service`.
    var text: String {
        let members: JSONObject = [
            "resolve": Self.json(self.resolve), "confirm": Self.json(self.confirm), "handle": Self.json(self.handle),
            "signIn": .bool(self.wantsSignIn), "yes": .bool(self.wantsYes), "news": .bool(self.showsNews),
            "effect": .bool(self.hasEffect), "step": .bool(self.hasStep), "notifies": .bool(self.notifies),
        ]
        var text = members
        text["ends"] = self.ends
        text["taken"] = self.taken.map {
            ["handle": .bool($0.isOfHandle), "parameter": .string($0.parameter), "value": $0.value]
        }
        return JSONValue.object(text).description
    }

    /// Creates a script without anything unusual.
    init() {}

    /// Reads the text.
    init(_ text: String?) {
        guard let text, let json = try? JSONValue(parsing: text) else { return }
        self.resolve = Self.act(json["resolve"])
        self.confirm = Self.act(json["confirm"])
        self.handle = Self.act(json["handle"])
        self.wantsSignIn = json["signIn"]?.bool ?? false
        self.wantsYes = json["yes"]?.bool ?? false
        self.showsNews = json["news"]?.bool ?? false
        self.hasEffect = json["effect"]?.bool ?? false
        self.hasStep = json["step"]?.bool ?? false
        self.notifies = json["notifies"]?.bool ?? false
        self.ends = json["ends"]
        if let taken = json["taken"], let parameter = taken["parameter"]?.string, let value = taken["value"] {
            self.taken = Taken(isOfHandle: taken["handle"]?.bool ?? false, parameter: parameter, value: value)
        }
    }

    private static func json(_ act: Act) -> JSONValue {
        .members([
            "sleep": .integer(Int64(act.sleep)), "transient": .integer(Int64(act.transientFailures)),
            "broken": .bool(act.isBroken), "hangs": .bool(act.hangs), "code": act.code.map(JSONValue.string),
        ])
    }

    private static func act(_ json: JSONValue?) -> Act {
        var act = Act()
        act.sleep = Int(json?["sleep"]?.integer ?? 0)
        act.transientFailures = Int(json?["transient"]?.integer ?? 0)
        act.isBroken = json?["broken"]?.bool ?? false
        act.hangs = json?["hangs"]?.bool ?? false
        act.code = json?["code"]?.string
        return act
    }
}
