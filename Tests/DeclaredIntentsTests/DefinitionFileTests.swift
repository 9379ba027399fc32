import DeclaredIntents
import IntentKit
import Testing

@Suite("R50: files of definitions")
struct DefinitionFileTests {
    private func problems(_ text: String) throws -> [String] {
        DefinitionFile(try JSONValue(parsing: text)).problems.map(\.description)
    }

    @Test(
        "A file is an object with intents, an array, or one intent",
        arguments: [
            #"{"intents":[{"name":"A"},{"name":"B"}]}"#, #"[{"name":"A"},{"name":"B"}]"#, #"{"name":"A"}"#,
        ]
    )
    func acceptsObjectArrayOrSingleIntent(text: String) throws {
        let file = DefinitionFile(try JSONValue(parsing: text))
        #expect(file.problems.isEmpty)
        #expect(file.definitions.first?.name == "A")
    }

    @Test(
        "Paths of problems start at the root of the file",
        arguments: [
            (#"{"intents":[{"name":"A"},{"nam":"B"}]}"#, "intents[1].name"), (#"[{"name":"A"},{}]"#, "[1].name"),
            (#"{"titel":"A"}"#, "name"), ("4", "the document"), (#"{"intents":{}}"#, "intents"),
            (#"{"intents":[],"version":1}"#, "version"), (#"{"intents":[4]}"#, "intents[0]"),
        ]
    )
    func reportsPathsFromRootOfFile(text: String, path: String) throws {
        #expect(try self.problems(text).first?.hasPrefix("\(path): ") == true)
    }

    @Test(
        "Every malformed member of an intent is reported",
        arguments: [
            (#""title":4"#, "title"), (#""confirmation":"maybe""#, "confirmation"),
            (#""financial":"yes""#, "financial"),
            (#""confirmedBy":"nobody""#, "confirmedBy"),
            (#""confirmedBy":"user","confirmation":"never""#, "confirmedBy"),
            (#""readOnly":true,"financial":true"#, "readOnly"),
            (#""parameters":{}"#, "parameters"), (#""handler":"rust""#, "handler"), (#""handler":{}"#, "handler"),
            (#""handler":{"grpc":1}"#, "handler"), (#""colour":"red""#, "colour"),
            (#""parameters":[4]"#, "parameters[0]"),
        ]
    )
    func reportsMalformedIntentMembers(member: String, path: String) throws {
        let problems = try self.problems(#"{"name":"A",\#(member)}"#)
        #expect(problems.first?.hasPrefix("\(path): ") == true, "\(problems)")
    }

    @Test(
        "Every malformed member of a parameter is reported",
        arguments: [
            (#""type":"text""#, "type"), (#""type":4"#, "type"), (#""title":"x""#, "type"),
            (#""type":"string","list":1"#, "list"), (#""type":"string","required":"no""#, "required"),
            (#""type":"string","sensitive":0"#, "sensitive"),
            (#""type":"string","sensitive":true,"searchable":true"#, "searchable"),
            (#""type":"string","values":[]"#, "values"),
            (#""type":"string","values":"a""#, "values"), (#""type":"string","values":["a",4]"#, "values[1]"),
            (#""type":"string","values":["a","a"]"#, "values"),
            (#""type":"integer","values":[1,9],"maximum":5"#, "values[1]"),
            (#""type":"string","minimum":1"#, "minimum"), (#""type":"integer","minimum":"x""#, "minimum"),
            (#""type":"integer","minimum":5,"maximum":4"#, "maximum"), (#""type":"string","pattern":"(""#, "pattern"),
            (#""type":"string","pattern":"a)(b""#, "pattern"), (#""type":"integer","pattern":"1""#, "pattern"),
            (#""type":"string","prompt":" ""#, "prompt"), (#""type":"string","prompt":7"#, "prompt"),
            (#""type":"string","title":{"de":" "}"#, "title.de"), (#""type":"string","prompt":{"en":4}"#, "prompt.en"),
            (#""type":"string","prompt":{"english!":"Which?"}"#, "prompt.english!"),
            (#""type":"string","any":null"#, "any"), (#""type":"string","dependsOn":["q"]"#, "dependsOn"),
            (#""type":"string","dependsOn":["p"]"#, "dependsOn"), (#""type":"string","dependsOn":[4]"#, "dependsOn[0]"),
            (#""type":"string","defualt":"x""#, "defualt"),
            (#""type":"string","values":[{"value":4,"title":"A"}]"#, "values[0]"),
            (#""type":"string","values":[{"value":"a","title":" "}]"#, "values[0].title"),
            (#""type":"string","values":[{"value":"a","title":{"english!":"A"}}]"#, "values[0].title.english!"),
            (#""type":"string","values":[{"value":"a","title":"A","image":"a.png"}]"#, "values[0].image"),
            (#""type":"string","values":[{"value":"a","title":"A","synonyms":"b"}]"#, "values[0].synonyms"),
            (#""type":"string","values":[{"value":"a","title":"A","synonyms":{"de":[1]}}]"#, "values[0].synonyms.de"),
            (#""type":"string","values":[{"value":"a","title":"A","titel":"B"}]"#, "values[0].titel"),
            (#""type":"string","values":["a",{"value":"a","title":"A"}]"#, "values"),
        ]
    )
    func reportsMalformedParameterMembers(members: String, path: String) throws {
        let problems = try self.problems(#"[{"name":"A","parameters":[{"name":"p",\#(members)}]}]"#)
        #expect(problems.first?.hasPrefix("[0].parameters[0].\(path): ") == true, "\(problems)")
    }

    @Test("A value with words needs a title")
    func longFormNeedsTitle() throws {
        let text = #"{"name":"A","parameters":[{"name":"p","type":"string","values":[{"value":"a","subtitle":"b"}]}]}"#
        #expect(try self.problems(text) == ["parameters[0].values[0].title: a title is required"])
    }

    @Test(
        "R71: what is too long or too much is an error",
        arguments: ["title", "subtitle", "synonyms", "languages", "image"]
    )
    func longWordsAreErrors(what: String) throws {
        let long = JSONValue.string(String(repeating: "a", count: 1_025))
        var value: JSONObject = ["value": "a", "title": "A"]
        switch what {
        case "languages":
            let letters = "abcdefgh".map(String.init)
            let locales = letters.flatMap { first in letters.map { first + $0 } }.prefix(51)
            value["title"] = .object(JSONObject(locales.map { (key: $0, value: "A") }))
        case "synonyms": value["synonyms"] = .array((0...20).map { .string("\($0)") })
        case "image": value["image"] = .string("https://" + String(repeating: "a", count: 2_041))
        default: value[what] = long
        }
        let parameter: JSONValue = ["name": "p", "type": "string", "values": [.object(value)]]
        let problems = DefinitionFile(["name": "A", "parameters": [parameter]]).problems.map(\.description)
        #expect(problems.count == 1, "\(problems)")
        let path = what == "languages" ? "title" : what
        #expect(problems.first?.hasPrefix("parameters[0].values[0].\(path): ") == true, "\(problems)")
    }

    @Test("R71: values may have words, which are offered and by which they are found")
    func valuesWithWords() async throws {
        let fixture = try DeclaredFixture(parameters: [
            [
                "name": "p", "type": "string",
                "values": [
                    "vaccination",
                    [
                        "value": "checkup", "title": ["en": "Checkup", "de": "Vorsorge"], "subtitle": "20 minutes",
                        "image": "https://vet.example/checkup.png",
                        "synonyms": ["en": ["check-up", "exam"], "de": ["Kontrolle"]],
                    ],
                ],
            ],
            ["name": "days", "type": "integer", "values": [["value": 7, "title": ["en": "a week"]], 14]],
        ])
        let constraints = try #require(fixture.registration.constraints["p"])
        #expect(constraints.values == ["vaccination", "checkup"])
        #expect(
            constraints.displays == [
                "checkup": DisplayRepresentation(
                    title: ["en": "Checkup", "de": "Vorsorge"],
                    subtitle: "20 minutes",
                    image: .url("https://vet.example/checkup.png"),
                    synonyms: [["en": "check-up", "de": "Kontrolle"], ["en": "exam"]]
                )
            ]
        )
        for said in ["checkup", "Vorsorge", "kontrolle", "Exam"] as [JSONValue] {
            #expect(try await fixture.resolve(said) == .single(.success("checkup")))
        }
        let week = DisplayRepresentation(title: ["en": "a week"])
        #expect(fixture.registration.constraints["days"]?.displays == [7: week])
    }

    @Test(
        "A default that is itself invalid is a problem",
        arguments: [
            (#""type":"integer","default":"x""#, "default"), (#""type":"integer","minimum":2,"default":1"#, "default"),
            (#""type":"string","values":["red"],"default":"blue""#, "default"),
            (#""type":"string","values":["red"],"default":"rad""#, "default"),
            (#""type":"string","pattern":"a+","default":"b""#, "default"),
            (#""type":"string","default":"""#, "default"),
            (#""type":"string","list":true,"default":"a""#, "default"),
            (#""type":"integer","list":true,"default":[1,"x"]"#, "default[1]"),
            (#""type":"string","default":null"#, "default"),
            (#""type":"string","required":true,"default":"a""#, "default"),
        ]
    )
    func reportsInvalidDefaults(members: String, path: String) throws {
        let problems = try self.problems(#"[{"name":"A","parameters":[{"name":"p",\#(members)}]}]"#)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("[0].parameters[0].\(path): ") == true, "\(problems)")
    }

    @Test("A default may be the value of `any`")
    func anyIsValidDefault() throws {
        let text = #"{"name":"A","parameters":[{"name":"p","type":"integer","any":"dontcare","default":"dontcare"}]}"#
        #expect(try self.problems(text).isEmpty)
    }

    @Test("All problems are found at once, in the file's order, and valid intents are kept")
    func reportsAllProblemsInOrder() throws {
        let file = DefinitionFile(
            try JSONValue(
                parsing: """
                    {"intents": [
                        {"name": "A", "titel": "x", "parameters": [
                            {"name": "p", "type": "integer", "minimum": "one"}, {"name": "p", "type": "string"},
                            {"name": "bad name", "type": "string"}
                        ]},
                        {"name": "B"}, {"name": "B"}
                    ]}
                    """
            )
        )
        #expect(
            file.problems.map(\.path.description) == [
                "intents[0].parameters[0].minimum", "intents[0].parameters[1]", "intents[0].parameters[2].name",
                "intents[0].titel", "intents[2].name",
            ]
        )
        #expect(file.definitions.map(\.name) == ["B", "B"])
    }

    @Test(
        "tls names files for an encrypted address, a certificate with its key",
        arguments: [
            (#"{}"#, "https", "tls"), (#""ca.pem""#, "https", "tls"), (#"{"caFile":4}"#, "https", "tls.caFile"),
            (#"{"caFile":""}"#, "https", "tls.caFile"), (#"{"ca":"a.pem","caFile":"a.pem"}"#, "https", "tls.ca"),
            (#"{"certificateFile":"a.pem"}"#, "https", "tls.certificateFile"),
            (#"{"keyFile":"a.key"}"#, "https", "tls.keyFile"), (#"{"caFile":"a.pem"}"#, "http", "tls"),
        ]
    )
    func readsTLSFilesForHTTPSOnly(tls: String, scheme: String, path: String) throws {
        let text = #"{"name":"A","handler":{"http":{"url":"\#(scheme)://x.example","tls":\#(tls)}}}"#
        let problems = DefinitionFile(try JSONValue(parsing: text)).problems
        #expect(problems.map(\.path.description) == ["handler.http.\(path)"], "\(problems)")
    }

    @Test("R51: a handler is record, swift or http, and its settings are checked")
    func readsHandlerKindsAndSettings() throws {
        let good = """
            {"name": "A", "handler": {"http": {"url": "https://x.example/a", "timeout": "PT5S", "attempts": 2,
                "headers": {"X-Shop": "7", "Authorization": {"env": "SHOP_TOKEN"}},
                "codes": {"4xx": "failure", "404": "failureNoTable", "202": "inProgress"}}}}
            """
        #expect(try self.problems(good) == [])
        let bad = """
            {"name": "A", "handler": {"http": {"url": "ftp://x", "timeout": "5 s", "attempts": 0, "method": "GET",
                "headers": {"a": 4, "b c": "x", "Host": "x", "d": "x\\u000d\\u000aY: z", "e": {"environment": "x"}},
                "codes": {"4x": "failure", "404": "lost", "200": "ready"}}}}
            """
        #expect(
            DefinitionFile(try JSONValue(parsing: bad)).problems.map(\.path.description) == [
                "handler.http.url", "handler.http.headers.Host", "handler.http.headers.a", "handler.http.headers.b c",
                "handler.http.headers.d", "handler.http.headers.e", "handler.http.timeout", "handler.http.attempts",
                "handler.http.codes.200", "handler.http.codes.404", "handler.http.codes.4x", "handler.http.method",
            ]
        )
        for (handler, message) in [
            (#""post""#, #""post" is not "record", "swift", {"http": {…}} or {"service": {…}}"#),
            (#"{"http": {"url": "https://anna:secret@x.example"}}"#, "put credentials into headers, from env or file"),
            (#"{"http": {}}"#, "an address is required"), (#"{"exec": "rm"}"#, #"a handler is "record""#),
        ] {
            let problems = try self.problems(#"{"name":"A","handler":\#(handler)}"#)
            #expect(problems.first?.contains(message) == true, "\(problems)")
        }
    }

    @Test("R76: how handle is tried again is declared, within bounds, instead of the number of attempts")
    func readsRetryPolicy() throws {
        let retry = """
            {"attempts": 20, "first": "PT0.2S", "factor": 1.5, "longest": "PT2S", "within": "PT20S",
             "on": ["connection", "timeout", 503]}
            """
        for kind in ["http", "service"] {
            let url = #""url": "https://x.example/a""#
            let text = #"{"name": "A", "handler": {"\#(kind)": {\#(url), "retry": \#(retry)}}}"#
            #expect(try self.problems(text) == [])
            let file = DefinitionFile(try JSONValue(parsing: text))
            let registration = try #require(file.definitions.first).makeRegistration()
            #expect(
                registration.retry
                    == RetryPolicy(
                        attempts: 20,
                        first: .milliseconds(200),
                        factor: 1.5,
                        longest: .seconds(2),
                        within: .seconds(20)
                    )
            )
        }
        let bad = """
            {"name": "A", "handler": {"http": {"url": "https://x.example/a", "attempts": 2, "retry": {"attempts": 0,
                "first": "soon", "factor": 0.5, "longest": "P8D", "within": "P8D", "on": ["always", 404, "timeout"],
                "delay": 1}}}}
            """
        let path = "handler.http.retry"
        #expect(
            DefinitionFile(try JSONValue(parsing: bad)).problems.map(\.path.description) == [
                "\(path).attempts", "\(path).factor", "\(path).first", "\(path).longest", "\(path).within",
                "\(path).on[0]", "\(path).on[1]", "\(path).delay", "handler.http.attempts",
            ]
        )
        let short = #"{"name": "A", "handler": {"http": {"url": "https://x/a", "retry": {"first": "PT5S"}}}}"#
        #expect(try self.problems(short).first?.contains("longest is at least as long as first") == true)
    }

    @Test("R61: a service has the settings of http, and names its calls and how it reports status")
    func readsServiceSettingsAndCalls() throws {
        let good = """
            {"name": "A", "handler": {"service": {"url": "https://x.example/a", "timeout": "PT5S", "attempts": 2,
                "headers": {"X-Shop": "7"}, "calls": ["resolve", "handle"], "status": {"every": "PT1M", "for": "PT1H"},
                "codes": ["failureNoTable", "continueInApp", "success"]}},
             "parameters": [{"name": "p", "type": "string", "reasons": {"tooFew": 10, "tooMany": 11}}]}
            """
        #expect(try self.problems(good) == [])
        let bad = """
            {"name": "A", "handler": {"service": {"timeout": "PT2H", "calls": ["confirm", "status", "undo"],
                "status": {"every": "PT0.01S", "for": "P8D", "until": 1}, "codes": ["lost", 4, "handleInApp"],
                "method": "GET"}},
             "parameters": [{"name": "p", "type": "string", "reasons": {"a": 9, "b": 12, "c": 12, "d": "x"}}]}
            """
        let service = "handler.service"
        #expect(
            DefinitionFile(try JSONValue(parsing: bad)).problems.map(\.path.description) == [
                "parameters[0].reasons.a", "parameters[0].reasons.c", "parameters[0].reasons.d", "\(service).url",
                "\(service).timeout", "\(service).calls[1]", "\(service).calls[2]", "\(service).calls",
                "\(service).status.every", "\(service).status.for", "\(service).status.until", "\(service).codes[0]",
                "\(service).codes[1]", "\(service).method",
            ]
        )
        for (definition, message) in [
            (#""handler":{"service":{"url":"http://x"},"http":{"url":"http://x"}}"#, #"a handler is "record""#),
            (#""handler":{"service":7}"#, "a service is an object, not an integer"),
            (
                #""parameters":[{"name":"p","type":"string","reasons":{"a":10}}]"#,
                "only a service can have its own reasons"
            ),
            (
                #""parameters":[{"name":"p","type":"string","reasons":["a"]}]"#,
                "an object of numbers by name is expected"
            ),
        ] {
            let problems = try self.problems(#"{"name":"A",\#(definition)}"#)
            #expect(problems.first?.contains(message) == true, "\(problems)")
        }
    }
}
