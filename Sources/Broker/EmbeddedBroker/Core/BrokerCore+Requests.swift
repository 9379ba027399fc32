extension BrokerCore {
    /// Handles one request; its answer is in `outbox` now, or will be when the event that it waits for happens.
    mutating func handle(_ request: Request, _ context: RequestContext, at now: BrokerTime) throws {
        let token = context.token
        switch request {
        case .produce(let request): try self.produce(request, context, at: now)
        case .fetch(let request): try self.fetch(request, context, at: now)
        case .listOffsets(let request): self.reply(token, try self.listOffsets(request, context))
        case .metadata(let request): self.reply(token, try self.metadata(request, context, at: now))
        case .offsetCommit(let request): self.reply(token, try self.commitOffsets(request, at: now))
        case .offsetFetch(let request): self.reply(token, self.fetchOffsets(request, context))
        case .findCoordinator(let request): self.reply(token, self.findCoordinator(request, context))
        case .joinGroup(let request): self.joinGroup(request, context, at: now)
        case .heartbeat(let request): self.reply(token, self.heartbeat(request, at: now))
        case .leaveGroup(let request): self.reply(token, self.leaveGroup(request, context, at: now))
        case .syncGroup(let request): self.syncGroup(request, context, at: now)
        case .describeGroups(let request): self.reply(token, self.describeGroups(request))
        case .listGroups(let request): self.reply(token, self.listGroups(request))
        case .apiVersions: self.reply(token, ApiVersionsResponse.supported())
        case .createTopics(let request): self.reply(token, try self.createTopics(request, at: now))
        case .deleteTopics(let request): self.reply(token, try self.deleteTopics(request, context))
        case .deleteRecords(let request): self.reply(token, try self.deleteRecords(request))
        case .initProducerID(let request): self.reply(token, try self.initProducerID(request, context, at: now))
        case .offsetForLeaderEpoch(let request): self.reply(token, self.offsetForLeaderEpoch(request))
        case .addPartitionsToTxn(let request): self.reply(token, self.addPartitions(request, context, at: now))
        case .addOffsetsToTxn(let request): self.reply(token, self.addOffsets(request, context, at: now))
        case .endTxn(let request): self.reply(token, try self.endTransaction(request, context, at: now))
        case .txnOffsetCommit(let request): self.reply(token, self.commitOffsets(request, at: now))
        case .describeAcls: self.reply(token, self.describeAcls())
        case .createAcls(let request): self.reply(token, self.createAcls(request))
        case .describeConfigs(let request): self.reply(token, self.describeConfigs(request))
        case .alterConfigs(let request): self.reply(token, try self.alterConfigs(request))
        case .createPartitions(let request): self.reply(token, try self.createPartitions(request, at: now))
        case .deleteGroups(let request): self.reply(token, try self.deleteGroups(request))
        case .incrementalAlterConfigs(let request): self.reply(token, try self.alterConfigs(request))
        case .offsetDelete(let request): self.reply(token, try self.deleteOffsets(request))
        case .describeCluster: self.reply(token, self.describeCluster())
        case .describeProducers(let request): self.reply(token, self.describeProducers(request))
        case .describeTransactions(let request): self.reply(token, self.describeTransactions(request, at: now))
        case .listTransactions(let request): self.reply(token, self.listTransactions(request))
        }
    }

    /// Forgets the requests of a closed connection that wait for an answer.
    mutating func close(connection: UInt64) {
        for token in self.fetches.keys where token.connection == connection { self.forgetPoll(token) }
    }
}
