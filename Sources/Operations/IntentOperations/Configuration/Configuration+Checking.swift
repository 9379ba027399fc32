extension Configuration {
    /// Checks what settings mean together, as far as no broker is needed for it.
    ///
    /// `config check`, `up` and `work` call it (through ``IntentSet/checked(_:needsSecrets:)``), so that the first cannot
    /// accept what the others refuse. What one setting alone must be is checked by its ``SettingType`` when it is read.
    /// - Throws: ``OperationError`` that names the setting and its location.
    package func check() throws(OperationError) {
        try RecordRetention(self).check(self)
        try self.checkLedger()
        try self.checkCopies()
        try self.checkGateway()
        try self.checkWebhooks()
        let key = try SigningKeyFile(self)?.read()
        guard self.anchorInterval == nil || key != nil else {
            throw self.failure(
                .auditAnchorEvery,
                "audit.anchorEvery is set, but audit.keyFile names no key that signs the anchors: create one with "
                    + "`intentd audit key --make --file FILE`"
            )
        }
    }

    private func checkCopies() throws(OperationError) {
        guard let copies = self.optionalInteger(.topicsReplicationFactor),
            let needed = self.optionalInteger(.topicsMinInsyncReplicas), needed > copies
        else { return }
        throw self.failure(
            .topicsMinInsyncReplicas,
            "topics.minInsyncReplicas is \(needed), but each topic would have \(copies) copies "
                + "(topics.replicationFactor): all writes would fail"
        )
    }

    /// Without keys anybody who reaches the gateway would be any user; with keys it must be known whose tokens count.
    private func checkGateway() throws(OperationError) {
        guard self.text(.gatewayKeys) != nil else {
            guard let address = self.listenAddress(.gatewayListen), !address.isLoopback else { return }
            throw self.failure(
                .gatewayListen,
                "gateway.listen is \(address), but gateway.keys is not set: without keys the gateway serves only this "
                    + "machine, at an address such as 127.0.0.1:8080"
            )
        }
        for setting in [Setting.gatewayIssuer, .gatewayAudience] where self.entry(setting) == nil {
            throw self.failure(
                .gatewayKeys,
                "gateway.keys is set, but \(setting.key) is not: it says which tokens of these keys are accepted"
            )
        }
    }

    private func checkWebhooks() throws(OperationError) {
        if self.text(.gatewayWebhookURL) == nil {
            let others: [Setting] = [.gatewayWebhookSecrets, .gatewayWebhookEvents]
            guard let other = others.first(where: { self.entry($0) != nil }) else { return }
            throw self.failure(other, "\(other.key) is set, but gateway.webhooks.url is not: nothing would be posted")
        }
        guard self.list(.gatewayWebhookSecrets).isEmpty else { return }
        throw self.failure(
            .gatewayWebhookURL,
            "gateway.webhooks.url is set, but gateway.webhooks.secrets names no secret: receivers could not tell who "
                + "has posted an event"
        )
    }

    /// A failure (78) at the location of a setting.
    package func failure(_ setting: Setting, _ message: String) -> OperationError {
        OperationError(.configuration, "\(self.entry(setting)?.origin ?? .byDefault): \(message)")
    }
}

extension IntentSet {
    /// The intents of a process that works, after all of its configuration has been checked.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - needsSecrets: Whether the process carries intents out, which takes their secrets.
    /// - Returns: The intents.
    /// - Throws: ``OperationError`` that lists what is wrong.
    package static func checked(_ configuration: Configuration, needsSecrets: Bool = true) throws(OperationError)
        -> IntentSet
    {
        try configuration.check()
        let intents = try IntentSet(configuration)
        if needsSecrets { try intents.checkSecrets() }
        return intents
    }
}
