// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SetsAndReps",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "PostgreSQL", description: "Keeps effects in PostgreSQL (ledger: postgresql://…).")],
    dependencies: [
        .package(
            name: "intentd",
            path: "../../..",
            traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]
        )
    ],
    targets: [
        // What the gym knows: intents, handlers, tables.
        .target(name: "SetsAndReps", dependencies: [.product(name: "IntentKit", package: "intentd")]),
        // intentd with the gym in it.
        .executableTarget(
            name: "gymd",
            dependencies: [
                "SetsAndReps", .product(name: "IntentCommands", package: "intentd"),
                .product(name: "PostgreSQLLedger", package: "intentd", condition: .when(traits: ["PostgreSQL"])),
            ]
        ),
        .testTarget(
            name: "SetsAndRepsTests",
            dependencies: ["SetsAndReps", "gymd", .product(name: "IntentTesting", package: "intentd")]
        ),
    ]
)
