import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("What intentd lag shows")
struct GroupLagReportTests {
    private static let partition = TopicPartition("intents.requests", 0)
    private static let other = TopicPartition("intents.requests", 1)

    private static var report: GroupLagReport {
        GroupLagReport(
            lags: [
                GroupLag(group: "intents.resolve", partition: Self.partition, committed: 3, end: 5, lag: 2),
                GroupLag(group: "intents.resolve", partition: Self.other, committed: nil, end: 0, lag: 0),
                GroupLag(group: "intents.confirm", partition: Self.partition, committed: 5, end: 5, lag: 0),
            ],
            members: [
                ("intents.resolve", [GroupMember(name: "resolve-1", host: "10.0.0.7", partitions: [Self.partition])]),
                ("intents.confirm", []),
            ],
            transactions: []
        )
    }

    @Test("A topic's lag is that of its partitions; below it the members of each group, or that there are none")
    func sumsLagByTopicAndListsMembers() {
        #expect(
            Self.report.lines(byPartition: false) == [
                "GROUP            TOPIC             PARTITIONS  LAG",
                "intents.resolve  intents.requests           2    2",
                "intents.confirm  intents.requests           1    0",
                "",
                "GROUP            MEMBER      HOST      PARTITIONS  WHICH",
                "intents.resolve  resolve-1   10.0.0.7           1  0",
                "intents.confirm  no members  -                  0  -",
            ]
        )
    }

    @Test("Each partition shows its reader, in text and as JSON")
    func showsReaderOfEachPartition() throws {
        let lines = Self.report.lines(byPartition: true)
        #expect(lines[1].hasSuffix("2  resolve-1"))
        #expect(lines[2].hasSuffix("0  -"))
        #expect(Self.report.json.map { $0["member"] } == [.string("resolve-1"), .null, .null])
    }

    @Test("Names that other programs chose are shown without control characters")
    func escapesNamesOfOtherPrograms() {
        var report = Self.report
        report.members[0].members[0].name = "\u{1B}[2Jgone"
        report.members[0].members[0].host = "\u{202E}tsoh"
        let text = (report.lines(byPartition: false) + report.lines(byPartition: true)).joined()
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }

    @Test("Where members may not be listed, the lag is shown with the reason")
    func saysWhyMembersAreUnknown() {
        var report = Self.report
        report.members = []
        report.membersProblem = "not authorized"
        #expect(report.lines(byPartition: false).last == "Cannot list the group members: not authorized")
    }

    @Test(
        "Consecutive numbers are written as a range",
        arguments: [([], "-"), ([4], "4"), ([0, 1, 2], "0-2"), ([0, 2, 3, 9], "0, 2-3, 9")]
    )
    func writesConsecutiveNumbersAsRange(_ numbers: [Int], _ text: String) {
        #expect(GroupLagReport.ranges(numbers) == text)
    }
}
