import IntentLab
import Testing

@testable import IntentCommands

@Suite("Ids on the command line")
struct IdentityArgumentTests {
    /// Every place that takes the id of a user, an interaction, a worker or an intent; `ID` stands for it.
    private static let commands: [[String]] = [
        ["ask", "SomeIntent", "--user", "ID"], ["ask", "--unchecked", "ID"], ["list", "--user", "ID"],
        ["list", "--intent", "ID"], ["show", "ID"], ["audit", "show", "ID"], ["audit", "export", "ID"],
        ["replay", "--interaction", "ID"], ["replay", "--user", "ID"], ["vocabulary", "show", "--user", "ID"],
        ["vocabulary", "set", "--type", "contactName", "--user", "ID"], ["vocabulary", "remove", "--user", "ID"],
        ["up", "--demo-user", "ID"], ["leave", "ID"], ["waiting", "decide", "ID", "done"],
        ["waiting", "decide", "i1", "done", "--user", "ID"], ["cancel", "ID"], ["cancel", "i1", "--user", "ID"],
        ["retry", "ID"], ["operators", "log", "--user", "ID"], ["operators", "log", "--interaction", "ID"],
    ]

    @Test(
        "An id that no event can have is refused at once (64), with the reason",
        .timeLimit(.minutes(1)),
        arguments: [
            ("", "the id is empty"),
            (String(repeating: "ä", count: 513), "the id has 1026 bytes; ids have 1024 at most"),
            ("a\0b", "the id contains a NUL character"),
        ]
    )
    func refusesImpossibleIDs(id: String, reason: String) async throws {
        let directory = try TemporaryDirectory()
        for command in Self.commands {
            let arguments = command.map { $0 == "ID" ? id : $0 } + ["--data", directory.path]
            let printed = await Printed.by(arguments)
            #expect(printed.status == 64, "\(command)")
            #expect(printed.errors.contains(reason), "\(command): \(printed.errors)")
        }
        for field in ["user", "interaction"] {
            let printed = await Printed.by([
                "dead-letters", "list", "--filter", "\(field)=\(id)", "--data", directory.path,
            ])
            #expect(printed.status == 64, "\(field)")
            #expect(printed.errors.contains(reason), "\(printed.errors)")
        }
    }

    @Test(
        "So is a worker's name that nothing can have",
        arguments: ["", "a b", "\u{1B}[31m", String(repeating: "a", count: 101)]
    )
    func refusesImpossibleNames(name: String) async throws {
        let directory = try TemporaryDirectory()
        let printed = await Printed.by(["work", "resolve", "--name", name, "--data", directory.path])
        #expect(printed.status == 64)
        #expect(printed.errors.contains("a worker's name has 1 to 100 letters"), "\(printed.errors)")
    }

    @Test("Messages hold no control character of what they repeat")
    func repeatsNoControlCharacters() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("restrictedWhileLocked: [\"\\e[31mA\"]\n", to: "c.yaml")
        for (words, shown) in [
            (["config", "check", "--config", file], "unknown intent  [31mA"),
            (["config", "check", "--log-level", "\u{1B}[31m"], "unknown log level '\\x1B[31m'"),
            (["leave", "\u{9B}31m", "--data", directory.path], ""),
        ] {
            let printed = await Printed.by(words)
            #expect(printed.status != 0)
            #expect(printed.errors.contains(shown) || shown.isEmpty, "\(printed.errors)")
            let controls = printed.errors.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n"
            }
            #expect(controls.isEmpty, "\(printed.errors.debugDescription)")
        }
    }

    @Test("The longest id is accepted")
    func acceptsLongestID() throws {
        #expect(try IdentityArgument.read(String(repeating: "a", count: 1_024)).count == 1_024)
    }
}
