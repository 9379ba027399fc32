import IntentKit
import LibCurl

extension ServiceCheck {
    /// Sends what the service does not expect: unknown members, an unknown intent, bodies that are no call, too much.
    mutating func tryInvalidCalls(_ intent: IntentSnapshot) async {
        for call in self.caller.service.calls where call != .handle || self.handles {
            if call != .handle { await self.tryUnknownMembers(intent, call) }
            await self.tryRefusal(
                "an unknown intent",
                self.body(IntentSnapshot(name: Self.unknownName), of: call).utf8,
                call
            )
            await self.tryRefusal("a body that is not JSON", Array("{\"intent\":".utf8), call)
            await self.tryRefusal("an object without an intent", Array("{}".utf8), call)
        }
        await self.tryLarge(intent)
    }

    /// Makes several calls at once, as many users' turns do.
    mutating func tryManyAtOnce(_ intent: IntentSnapshot) async {
        guard let call = self.caller.service.calls.first, call != .handle else { return }
        let subject = "\(call.rawValue): 16 at once"
        let check = self
        let body = self.body(intent, of: call).utf8
        let failures = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    switch await check.post(body, to: call) {
                    case .success(let reply):
                        HTTPEndpoint.mayPass(reply.status) ? ServiceCaller.problem(inStatus: reply.status) : nil
                    case .failure(let problem): problem.text
                    }
                }
            }
            return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
        }
        if let failure = failures.first {
            let text =
                "\(failures.count) of them failed (\(failure)): one caller must not block others. Serve several "
                + "connections concurrently"
            self.record(.wrong, subject, text)
        } else {
            self.record(.right, subject, "all are answered")
        }
    }

    private mutating func tryUnknownMembers(_ intent: IntentSnapshot, _ call: ServiceCall) async {
        let subject = "\(call.rawValue): unknown members"
        var members = self.body(intent, of: call).object ?? [:]
        // A service may refuse the plain body too, since the values are made up; that says nothing about the extra
        // members.
        let key = call.hasKey ? self.context("body").idempotencyKey(for: intent.name) : nil
        guard case .success(let plain) = await self.post(JSONValue.object(members).utf8, to: call, key: key),
            ServiceCaller.problem(inStatus: plain.status) == nil
        else { return }
        let more: JSONValue = ["later": [1, "two", .null]]
        members["serviceCheck"] = more
        for name in ["intent", "interaction", "user", "device"] {
            var inner = members[name]?.object ?? [:]
            inner["serviceCheck"] = more
            members[name] = .object(inner)
        }
        switch await self.post(JSONValue.object(members).utf8, to: call, key: key) {
        case .failure(let problem): self.record(.wrong, subject, problem.text)
        case .success(let reply):
            guard let problem = ServiceCaller.problem(inStatus: reply.status) else {
                return self.record(.right, subject, "they are ignored")
            }
            self.record(.wrong, subject, "\(problem): a later intentd may send more members; ignore unknown ones")
        }
    }

    private mutating func tryRefusal(_ what: String, _ body: [UInt8], _ call: ServiceCall) async {
        let subject = "\(call.rawValue): \(what)"
        let key = call.hasKey ? self.context("refused").idempotencyKey(for: call.rawValue) : nil
        switch await self.post(body, to: call, key: key) {
        case .failure(let problem): self.record(.wrong, subject, "\(problem.text); 400 or 404 is expected")
        case .success(let reply):
            switch reply.status {
            case 200..<300:
                let text = "it answers \(reply.status), as if the call were valid, which hides mistakes. 400 or 404"
                self.record(.wrong, subject, "\(text) is expected")
            case let status where status >= 500 || HTTPEndpoint.mayPass(status):
                let text = "it answers \(status), which means a temporary error and is retried. 400 or"
                self.record(.wrong, subject, "\(text) 404 is expected")
            default: self.record(.right, subject, "it is refused with \(reply.status)")
            }
        }
    }

    private mutating func tryLarge(_ intent: IntentSnapshot) async {
        guard let call = self.caller.service.calls.first, call != .handle else { return }
        let subject = "\(call.rawValue): a call of half a megabyte"
        var members = self.body(intent, of: call).object ?? [:]
        members["serviceCheck"] = .string(String(repeating: "large ", count: 87_381))
        switch await self.post(JSONValue.object(members).utf8, to: call) {
        case .failure(let problem):
            self.record(.wrong, subject, "\(problem.text); an answer is expected, or 413: requests can be that large")
        case .success(let reply) where reply.status >= 500:
            self.record(.wrong, subject, "it answers \(reply.status), which is retried; an answer is expected, or 413")
        case .success(let reply): self.record(.right, subject, "it answers \(reply.status)")
        }
    }
}
