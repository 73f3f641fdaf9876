//! Arguments in, exit code out.

fn main() -> std::process::ExitCode {
    dejaview::cli::main()
}
