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
        ["up", "--demo-user", "ID"], ["leave", "ID"],
    ]

    @Test(
        "An id that no event can have is refused at once (64), with the reason",
        .timeLimit(.minutes(1)),
        arguments: [
            ("", "the id is empty"),
            (String(repeating: "ä", count: 513), "the id has 1026 bytes; ids have 1024 at most"),
            ("a\0b", "the id holds a NUL"),
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

    @Test("The longest id is taken")
    func takesLongestID() throws {
        #expect(try IdentityArgument.read(String(repeating: "a", count: 1_024)).count == 1_024)
    }
}
