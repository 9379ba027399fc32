@main
enum Intentd {
    static func main() {}
}
