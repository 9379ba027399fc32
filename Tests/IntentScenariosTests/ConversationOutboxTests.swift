import IntentEvents
import IntentRuntime
import Testing

@testable import IntentScenarios

@Suite("Events that are sent together share a call", .timeLimit(.minutes(1)))
struct ConversationOutboxTests {
    private static func record(_ number: UInt8) -> OutgoingRecord {
        OutgoingRecord(
            topicPartition: TopicPartition("intents.requests", 0),
            content: RecordContent(key: nil, value: [number])
        )
    }

    @Test("Each sender learns the outcome of the call that carried its records")
    func senderLearnsOutcomeOfItsCall() async {
        let outbox = ConversationOutbox()
        #expect(await outbox.add([]).code == nil)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 as Range<UInt8> {
                group.addTask {
                    let code = await outbox.add([Self.record(number)]).code
                    #expect(code == (number == 0 ? .recordTooLarge : nil))
                }
            }
            var seen = 0
            while seen < 8, let batch = await outbox.next() {
                #expect(batch.records.count == batch.senders.count)
                seen += batch.records.count
                for (record, sender) in zip(batch.records, batch.senders) {
                    let isRefused = record.content == Self.record(0).content
                    sender.resume(returning: isRefused ? .failure(LogError(.recordTooLarge, "")) : .success(()))
                }
            }
        }
    }

    @Test("Closing refuses what waits once, with the first reason, and so everything that comes later")
    func closingRefusesWaitingAndLaterRecords() async {
        let outbox = ConversationOutbox()
        await withTaskGroup(of: LogError.Code?.self) { group in
            for _ in 0..<100 { group.addTask { await outbox.add([Self.record(1)]).code } }
            let batch = await outbox.next()
            for sender in batch?.senders ?? [] { sender.resume(returning: .success(())) }
            outbox.close(LogError(.unavailable, "gone"))
            outbox.close(LogError(.fenced, "later"))
            var codes: [LogError.Code?] = []
            for await code in group { codes.append(code) }
            #expect(codes.count { $0 == nil } == batch?.senders.count)
            #expect(codes.allSatisfy { $0 == nil || $0 == .unavailable })
        }
        #expect(await outbox.add([Self.record(2)]).code == .unavailable)
        let nothing = await outbox.next()
        #expect(nothing?.records == nil)
    }
}

extension Result where Success == Void, Failure == LogError {
    fileprivate var code: LogError.Code? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }
}
