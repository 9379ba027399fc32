extension BrokerCore {
    /// Handles one request; its answer is in `outbox` now, or will be when the event that it waits for happens.
    mutating func handle(_ request: Request, _ context: RequestContext, at now: BrokerTime) throws {
        let token = context.token
        switch request {
        case .produce(let request): try self.produce(request, context, at: now)
        case .fetch(let request): try self.fetch(request, context, at: now)
        case .listOffsets(let request): self.outbox.reply(token, try self.topics.listOffsets(request, context))
        case .metadata(let request): self.outbox.reply(token, try self.metadata(request, context, at: now))
        case .offsetCommit(let request): self.outbox.reply(token, try self.commitOffsets(request, at: now))
        case .offsetFetch(let request): self.outbox.reply(token, self.fetchOffsets(request, context))
        case .findCoordinator(let request): self.outbox.reply(token, self.findCoordinator(request))
        case .joinGroup(let request): self.carryOut(self.groups.join(request, context, &self.notices, at: now))
        case .heartbeat(let request): self.outbox.reply(token, self.groups.heartbeat(request, at: now))
        case .leaveGroup(let request): self.leaveGroup(request, context, at: now)
        case .syncGroup(let request): self.carryOut(self.groups.sync(request, token, &self.notices, at: now))
        case .describeGroups(let request): self.outbox.reply(token, self.groups.describeGroups(request))
        case .listGroups(let request): self.outbox.reply(token, self.groups.listGroups(request))
        case .apiVersions: self.outbox.reply(token, ApiVersionsResponse.supported())
        case .createTopics(let request):
            self.outbox.reply(token, try self.topics.createTopics(request, &self.notices, at: now))
        case .deleteTopics(let request): self.outbox.reply(token, try self.deleteTopics(request))
        case .deleteRecords(let request): self.outbox.reply(token, try self.topics.deleteRecords(request))
        case .initProducerID(let request): self.outbox.reply(token, try self.initProducerID(request, context, at: now))
        case .offsetForLeaderEpoch(let request): self.outbox.reply(token, self.topics.offsetForLeaderEpoch(request))
        case .addPartitionsToTxn(let request): self.outbox.reply(token, self.addPartitions(request, context, at: now))
        case .addOffsetsToTxn(let request): self.outbox.reply(token, self.addOffsets(request, context, at: now))
        case .endTxn(let request): self.outbox.reply(token, try self.endTransaction(request, context, at: now))
        case .txnOffsetCommit(let request): self.outbox.reply(token, self.commitOffsets(request, at: now))
        case .describeAcls: self.outbox.reply(token, self.describeAcls())
        case .createAcls(let request): self.outbox.reply(token, self.createAcls(request))
        case .describeConfigs(let request): self.outbox.reply(token, self.describeConfigs(request))
        case .alterConfigs(let request): self.outbox.reply(token, try self.alterConfigs(request))
        case .createPartitions(let request):
            self.outbox.reply(token, try self.topics.createPartitions(request, &self.notices, at: now))
        case .deleteGroups(let request): self.outbox.reply(token, try self.groups.deleteGroups(request))
        case .incrementalAlterConfigs(let request): self.outbox.reply(token, try self.alterConfigs(request))
        case .offsetDelete(let request): self.outbox.reply(token, try self.groups.deleteOffsets(request))
        case .describeCluster: self.outbox.reply(token, self.describeCluster())
        case .describeProducers(let request): self.outbox.reply(token, self.topics.describeProducers(request))
        case .describeTransactions(let request):
            self.outbox.reply(token, self.transactions.describeTransactions(request, at: now))
        case .listTransactions(let request): self.outbox.reply(token, self.transactions.listTransactions(request))
        }
    }

    /// Forgets the requests of a closed connection that wait for an answer.
    mutating func close(connection: UInt64) {
        for token in self.longPolls.byToken.keys where token.connection == connection { self.forgetPoll(token) }
    }

    /// Sends the answers that result from a change of a group.
    mutating func carryOut(_ effects: [ConsumerGroup.Effect]) {
        for effect in effects {
            switch effect {
            case .joined(let token, let response): self.outbox.reply(token, response)
            case .synced(let token, let response): self.outbox.reply(token, response)
            }
        }
    }

    private mutating func leaveGroup(_ request: LeaveGroupRequest, _ context: RequestContext, at now: BrokerTime) {
        let (response, effects) = self.groups.leave(request, context, at: now)
        self.carryOut(effects)
        self.outbox.reply(context.token, response)
    }
}
