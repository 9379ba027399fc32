import IntentKit
import IntentLab
import Testing

@Suite("R71: entities on the wire")
struct EntityValueTests {
    struct Dog: EntityValue {
        static let typeName = "dog"

        var identifier: String?
        var name: String
        var breed: String?

        init(spokenPhrase: String) { self.name = spokenPhrase }

        init(_ identifier: String, _ name: String, breed: String? = nil) {
            self.identifier = identifier
            self.name = name
            self.breed = breed
        }

        var displayRepresentation: DisplayRepresentation? {
            DisplayRepresentation(
                title: LocalizedText(self.name),
                subtitle: self.breed.map { LocalizedText($0) },
                synonyms: self.identifier == "d-3" ? [["en": "puppy", "de": "Welpe"]] : []
            )
        }
    }

    private struct Walk: Intent {
        @Parameter var dog: Dog?
        @Parameter var others: [Dog]?
    }

    private struct WalkHandler: IntentHandler {
        let dogs: [Dog]

        var handling: Handling<Walk> {
            Resolve(\.$dog, among: { _, _ in self.dogs })
            Resolve(\.$others, among: { _, _ in self.dogs })
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private static let dogs = [
        Dog("d-1", "Bello", breed: "Poodle"), Dog("d-2", "Bello", breed: "Dachshund"), Dog("d-3", "Rex"),
    ]

    @Test("An entity is an object with its members; a text is an entity of which only the words are known")
    func entityIsObjectOrText() {
        let dog = Dog("d-1", "Bello", breed: "Poodle")
        #expect(dog.json == ["breed": "Poodle", "identifier": "d-1", "name": "Bello"])
        #expect(Dog(json: dog.json) == dog)
        #expect(Dog(json: "Bello") == Dog(spokenPhrase: "Bello"))
        #expect(Dog(spokenPhrase: "Bello").json == ["name": "Bello"])
        for wrong: JSONValue in [7, true, ["identifier": "d-1"], ["name": 7]] { #expect(Dog(json: wrong) == nil) }
        #expect(Dog(spokenPhrase: " ").isMissing && !Dog("d-1", "").isMissing && !dog.isMissing)
        #expect(dog.words == "Bello")
    }

    @Test("The words of an entity are those that it makes of its members")
    func registryKnowsWordsOfEntities() throws {
        let constraints = IntentRegistration { WalkHandler(dogs: []) }.constraints
        let display = try #require(constraints["dog"]?.entityDisplay)
        #expect(display(Self.dogs[0].json) == DisplayRepresentation(title: "Bello", subtitle: "Poodle"))
        #expect(display("Bello") == DisplayRepresentation(title: "Bello"))
        #expect(display(7) == nil)
        #expect(constraints["others"]?.entityDisplay != nil)
    }

    private func resolve(
        _ name: String,
        _ said: JSONValue?,
        among dogs: [Dog] = Self.dogs
    ) async throws -> ParameterOutcome? {
        let registration = IntentRegistration { WalkHandler(dogs: dogs) }
        let intent = IntentSnapshot(name: "Walk", parameters: said.map { [name: $0] } ?? [:])
        return try await registration.resolve(name, intent, BareTurnHost.context())
    }

    @Test("Words find the entity that has them, and an identifier finds the entity as it is now")
    func findsEntity() async throws {
        let rex = Self.dogs[2].json
        for said in ["Rex", "REX", "Welpe", "puppy", ["identifier": "d-3", "name": "old name"]] as [JSONValue] {
            #expect(try await self.resolve("dog", said) == .single(.success(rex)), "\(said)")
        }
        #expect(try await self.resolve("dog", nil) == .single(.notRequired))
    }

    @Test("Words of several entities are a choice among these; other words are a choice among all, 20 at most")
    func offersEntities() async throws {
        let both = Self.dogs.prefix(2).map(\.json)
        #expect(try await self.resolve("dog", "bello") == .single(.choosing(among: both)))
        #expect(try await self.resolve("dog", "Minka") == .single(.choosing(among: Self.dogs.map(\.json))))
        #expect(try await self.resolve("dog", "Rexx") == .single(.choosing(among: [Self.dogs[2].json])))
        let many = (0..<30).map { Dog("d-\($0)", "Number \($0 * 1_000)") }
        let all = many.prefix(20).map(\.json)
        #expect(try await self.resolve("dog", "Zeppelin", among: many) == .single(.choosing(among: all)))
        // R21: without any options it is unsupported.
        #expect(try await self.resolve("dog", "Rex", among: []) == .single(.choosing(among: [])))
    }

    @Test("R20: each value of a list is resolved by itself")
    func resolvesListPerValue() async throws {
        let outcome = try await self.resolve("others", ["Rex", "Bello"])
        let both = Self.dogs.prefix(2).map(\.json)
        #expect(outcome == .perValue([.success(Self.dogs[2].json), .choosing(among: both)]))
    }
}
