@testable import IntentRuntime
import IntentEvents
import Testing

/// Where a lane starts, by what the group and the state say.
@Suite struct GroupStartTests {
    @Test(
        "R6: whatever the group's offset is, nothing before the state's offset is processed again and nothing after it is skipped"
    )
    func startsWhereStateEnds() {
        let offsets: [Int64?] = [nil, 0, 1, 2, 3, 4]
        for state in offsets {
            for group in offsets {
                for groupHasOthers in group == nil ? [false, true] : [true] {
                    let start = GroupStart(state: state, group: group, groupHasOthers: groupHasOthers)
                    let words = "state \(String(describing: state)), group \(String(describing: group))"
                    switch start {
                    case .atGroup:
                        // A state that says nothing, or the same; a group without an offset begins at the beginning.
                        #expect(state == nil || group ?? 0 == state, "\(words)")
                    case .atState(let offset):
                        #expect(offset == state && group ?? -1 < offset, "\(words)")
                        #expect(group != nil || !groupHasOthers, "\(words)")
                    case .ahead(let offset):
                        #expect(offset == state && group ?? -1 > offset, "\(words)")
                    case .forgotten(let offset):
                        #expect(offset == state && offset > 0 && group == nil && groupHasOthers, "\(words)")
                    }
                }
            }
        }
    }

    @Test("R6: the state's offsets are read back as written, and members of later versions are ignored")
    func readsBackOffsetsOfState() {
        for input: Int64? in [nil, 0, 7, .max] {
            for signals: Int64? in [nil, 0, 12] {
                let offsets = ReadOffsets(partition: 3, input: input, signals: signals)
                #expect(ReadOffsets(text: offsets.text) == offsets)
                #expect(ReadOffsets(text: offsets.text + ",later=x") == offsets)
                #expect(offsets.offset(of: .signals) == signals && offsets.offset(of: .requests) == input)
            }
        }
        for text in ["", "input=1", "partition=-1", "partition=1,input=-5", "partition=x", "partition", "{}"] {
            #expect(ReadOffsets(text: text) == nil, "\(text)")
        }
    }
}
