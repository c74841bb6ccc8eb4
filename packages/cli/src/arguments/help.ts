export const HELP = `Usage: annals <command> [options]

Commands:
  import <file>  Takes memories and conversations over from an export.
  export         Writes everything that is remembered of a user to a file.

Options of import:
  --user <id>            The user of Annals whose memory it becomes.
  --format <format>      auto (default), annals, mem0, openai, claude.
  --dry-run              Says what would be taken, and changes nothing.
  --category <name>      mem0: category of memories that name none; knowledge unless set.
  --map <from>=<to>      mem0: category of Annals for one of mem0; may be repeated.
  --from-user <id>       mem0: takes the memories of this user of mem0 only.
  --no-wait              openai, claude: does not wait until memories are extracted.
  --not-taken <file>     Writes what was not taken to this file, a line of JSON each.
  --state <file>         Where to note how far it is; beside the input unless set.

Options of export:
  --user <id>            The user.
  --format <format>      ndjson (default), markdown.
  --out <file>           The file; the standard output unless set.
  --conversations        markdown: with the conversations.

Options of both:
  --url <url>  URL of Annals; ANNALS_URL or http://127.0.0.1:8080 unless set.
  --help       Prints this page.
  --version    Prints the version of the package.

Variables:
  ANNALS_API_KEY  An API key with the scope admin; for openai and claude, the scope
                  ingest is enough.
  ANNALS_URL      URL of Annals.

Exit codes:
  0  Everything that the server takes was taken, or was there already.
  1  Something was refused or failed; the report says what.
  2  The command is wrong.
  3  It could not be finished: run the same command again, and it goes on.
`;
