import ArgumentParser
import IntentEvents

extension WorkerRole: ExpressibleByArgument {}
