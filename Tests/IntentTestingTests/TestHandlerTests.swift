import IntentKit
import IntentTesting
import Testing

@Suite("Testing handlers alone", .timeLimit(.minutes(1)))
struct TestHandlerTests {
    @Test("A resolver runs alone, with its store")
    func resolverRunsAloneWithStore() async throws {
        let handler = try TestHandler("OrderTeaIntent", of: .tea)
        #expect(try await handler.resolve("kind", in: [:]) == .single(.needsValue))
        #expect(try await handler.resolve("kind", in: ["kind": "mint"]) == .single(.success("mint tea")))
        try await handler.store.prepare { try $0.execute("DELETE FROM teas WHERE name = 'mint tea'", []) }
        let others: ParameterOutcome = .single(.disambiguation(["green tea", "rooibos"]))
        #expect(try await handler.resolve("kind", in: ["kind": "mint"]) == others)
    }

    @Test("The user's words are looked up")
    func resolverUsesVocabulary() async throws {
        var handler = try TestHandler("OrderTeaIntent", of: .tea)
        handler.vocabulary[.notebookItemTitle] = [
            VocabularyEntry(spokenPhrase: "the usual", vocabularyIdentifier: "green tea")
        ]
        #expect(try await handler.resolve("kind", in: ["kind": "the usual"]) == .single(.success("green tea")))
    }

    @Test("A handler that is called again, as after a crash, makes its effect once; another interaction makes its own")
    func repeatedHandleMakesEffectOnce() async throws {
        let handler = try TestHandler("OrderTeaIntent", of: .tea)
        for _ in 0..<2 {
            let response = try await handler.handle(["kind": "mint tea", "cups": 1])
            #expect(response.code == "success")
            #expect(response.details["number"] == 1)
        }
        #expect(try await handler.effects() == ["order"])
        let other = try TestHandler("OrderTeaIntent", of: .tea, store: handler.store)
        #expect(try await other.handle(["kind": "mint tea", "cups": 1]).details["number"] == 2)
    }

    @Test("Confirm asks the user where the handler wants it, and an error of the handler is thrown")
    func confirmAsksUserAndErrorsAreThrown() async throws {
        var handler = try TestHandler("OrderTeaIntent", of: .tea)
        #expect(try await handler.confirm(["kind": "mint tea", "cups": 6]).requiresUserConfirmation)
        await #expect(throws: OrderTeaHandler.Hiccup.self) { try await handler.handle(["kind": "rooibos", "cups": 1]) }
        handler.attempt = 2
        #expect(try await handler.handle(["kind": "rooibos", "cups": 1]).code == "success")
    }

    @Test("Reading the store cannot change it, and a failed preparation leaves nothing behind")
    func readingStoreCannotChangeIt() async throws {
        let store = try TestStore(of: .tea)
        let error = await #expect(throws: (any Error).self) {
            try await store.read { try $0.execute("DELETE FROM teas", []) }
        }
        #expect(error.map { "\($0)".contains("readonly") } == true)
        await #expect(throws: (any Error).self) {
            try await store.prepare { store in
                try store.execute("DELETE FROM teas", [])
                try store.execute("DELETE FROM coffees", [])
            }
        }
        #expect(try await store.read { try $0.query("SELECT * FROM teas", []) }.count == 3)
    }

    @Test("An unknown intent or parameter is reported together with those that exist")
    func unknownIntentOrParameterListsKnownOnes() async throws {
        let missing = #expect(throws: TestError.self) { try TestHandler("OrderCoffeeIntent", of: .tea) }
        #expect(missing?.description.contains("It has handlers for OrderTeaIntent.") == true)
        let handler = try TestHandler("OrderTeaIntent", of: .tea)
        let parameter = await #expect(throws: TestError.self) { try await handler.resolve("sugar", in: [:]) }
        #expect(parameter?.description.contains("Its parameters are kind, cups.") == true)
    }
}
