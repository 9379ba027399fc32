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
            (#""type":"string","sensitive":0"#, "sensitive"), (#""type":"string","values":[]"#, "values"),
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
        ]
    )
    func reportsMalformedParameterMembers(members: String, path: String) throws {
        let problems = try self.problems(#"[{"name":"A","parameters":[{"name":"p",\#(members)}]}]"#)
        #expect(problems.first?.hasPrefix("[0].parameters[0].\(path): ") == true, "\(problems)")
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
