import IntentBenchmarks

@main
struct Main {
    static func main() async {
        await TurnBenchmark.execute()
    }
}
