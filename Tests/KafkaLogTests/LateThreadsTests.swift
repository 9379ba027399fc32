import Foundation
import IntentLab
import Testing

/// librdkafka gives up on its own threads when they do not report within 60 s by the wall clock.
@Suite("Threads that outlive their client", .timeLimit(.minutes(1)))
struct LateThreadsTests {
    /// Loaded before librdkafka: its threads start late, and the clock is set forward while they are waited for.
    private static let interposed = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <threads.h>
        #include <time.h>
        #include <unistd.h>

        static __thread int is_starting;
        static void *abandoned;

        struct late { thrd_start_t body; void *argument; };

        static int begin_late(void *opaque) {
            struct late late = *(struct late *)opaque;
            free(opaque);
            usleep(300000);
            return late.body(late.argument);
        }

        int thrd_create(thrd_t *thread, thrd_start_t body, void *argument) {
            int (*next)(thrd_t *, thrd_start_t, void *) = dlsym(RTLD_NEXT, "thrd_create");
            if (!is_starting) return next(thread, body, argument);
            struct late *late = malloc(sizeof *late);
            *late = (struct late){body, argument};
            return next(thread, begin_late, late);
        }

        int timespec_get(struct timespec *now, int base) {
            int (*next)(struct timespec *, int) = dlsym(RTLD_NEXT, "timespec_get");
            int result = next(now, base);
            if (is_starting) now->tv_sec -= 120;
            return result;
        }

        void *rd_kafka_new(int type, void *configuration, char *text, size_t size) {
            void *(*next)(int, void *, char *, size_t) = dlsym(RTLD_NEXT, "rd_kafka_new");
            is_starting = 1;
            void *client = next(type, configuration, text, size);
            is_starting = 0;
            if (!client) abandoned = configuration;
            return client;
        }

        void rd_kafka_conf_destroy(void *configuration) {
            void (*next)(void *) = dlsym(RTLD_NEXT, "rd_kafka_conf_destroy");
            if (configuration && configuration == abandoned) {
                fputs("The configuration was freed although threads use it.\\n", stderr);
                abort();
            }
            next(configuration);
        }
        """

    private static func run(
        _ words: [String],
        environment: [String: String] = [:]
    ) async throws -> (process: Process, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.run()
                    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: (process, String(decoding: bytes, as: UTF8.self)))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    @Test("The configuration that late threads still use is not freed, and the error says what happened")
    func configurationOutlivesLateThreads() async throws {
        let directory = try TemporaryDirectory()
        let source = try directory.write(Self.interposed, to: "late.c")
        let library = directory.file("late.so")
        let compiled = try await Self.run(["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"])
        try #require(compiled.process.terminationStatus == 0, "\(compiled.errors)")
        let intentd = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "intentd")
            .path
        let (process, errors) = try await Self.run(
            [intentd, "topics", "list", "--brokers", "127.0.0.1:1", "--data", directory.file("data")],
            environment: ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"]
        )
        #expect(process.terminationReason == .exit, "\(errors)")
        #expect(errors.contains("librdkafka did not start: Timed out waiting for"), "\(errors)")
    }
}
