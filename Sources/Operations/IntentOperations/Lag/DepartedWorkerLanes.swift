internal import IntentEvents
internal import IntentRecords
package import IntentRuntime

/// The lanes of departed workers that are still members of their groups.
package struct DepartedWorkerLanes: Sendable {
    /// The longest that a group may take to accept a lane in place of the departed one.
    private static let timeout = Duration.seconds(20)

    /// The lanes of each worker, as the worker had configured them.
    package let configurations: [String: [LaneConfiguration]]

    /// Looks workers' lanes up among the members of all groups.
    /// - Throws: `LogError`.
    package static func find(_ names: [String], prefix: String, on log: any EventLog) async throws
        -> DepartedWorkerLanes
    {
        let groups = WorkerRole.allCases.map { $0.group(prefix: prefix) }
        let members = try await GroupLagReport.members(of: groups, on: log) ?? []
        var configurations: [String: [LaneConfiguration]] = [:]
        for name in names {
            for (stage, group) in zip(Stage.allCases, members) {
                for member in group.members where StageWorker.isLane(member.name, of: name) {
                    let lane = StageWorker.lane(LaneName(member.name), of: stage, prefix: prefix)
                    configurations[name, default: []].append(lane)
                }
            }
            if members.last?.members.contains(where: { $0.name == name }) == true {
                let lane = Recorder.Configuration(prefix: prefix, name: name).lane
                configurations[name, default: []].append(lane)
            }
        }
        return DepartedWorkerLanes(configurations: configurations)
    }

    /// Joins under the lanes' names, which aborts what they left open, and leaves for good.
    ///
    /// All join before any leaves: a group waits for members that are silent before it shares partitions out.
    /// - Throws: `LogError`.
    package func leave(on log: any EventLog) async throws {
        let lanes = try await withThrowingTaskGroup(of: (any TransactionalLane).self) { group in
            for configuration in self.configurations.values.joined() {
                group.addTask { try await Self.join(configuration, on: log) }
            }
            var lanes: [any TransactionalLane] = []
            while let lane = await group.nextResult() {
                switch lane {
                case .success(let lane): lanes.append(lane)
                case .failure(let error):
                    for lane in lanes { await lane.close() }
                    throw error
                }
            }
            return lanes
        }
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes { group.addTask { await lane.close(.leaveGroup) } }
        }
    }

    /// Joins a group in place of the departed lane.
    private static func join(
        _ configuration: LaneConfiguration,
        on log: any EventLog
    ) async throws -> any TransactionalLane {
        let lane = try await log.makeLane(configuration)
        do throws(LogError) {
            let deadline = ContinuousClock.now + Self.timeout
            while ContinuousClock.now < deadline {
                for event in try await lane.poll(maxRecords: 1, timeout: .milliseconds(500)) {
                    switch event {
                    case .assigned: return lane
                    case .revoked: try await lane.release()
                    case .records: break
                    }
                }
            }
            throw LogError(.unavailable, "\(configuration.group) did not accept \(configuration.name)")
        } catch {
            await lane.close()
            throw error
        }
    }
}
