/** What the program is asked to do, or why it does nothing. */
export type Invocation = { readonly action: 'help' | 'version' | 'mcp' } | { readonly refusal: string };

export const HELP = `Usage: annals-sdk <command>

Commands:
  mcp        Connects a client that starts a program, such as a desktop client,
             to the memory of Annals: passes the messages of the Model Context
             Protocol from the standard input on to /mcp, and the answers back.

Options:
  --help     Prints this page.
  --version  Prints the version of the package.

Variables of mcp:
  ANNALS_API_KEY  An API key that is bound to a user: whose memory it is.
  ANNALS_URL      URL of Annals; http://127.0.0.1:8080 unless set.
`;

export function readArguments(args: readonly string[]): Invocation {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { action: 'help' };
  const [command, extra] = args;
  if (command === '--version') return { action: 'version' };
  if (command === undefined) return { refusal: 'Give a command: annals-sdk --help lists them.' };
  if (command !== 'mcp')
    return { refusal: `There is no command ${JSON.stringify(command)}: annals-sdk --help lists those that there are.` };
  if (extra !== undefined)
    return {
      refusal: `Leave out ${JSON.stringify(extra)}: mcp takes no arguments, but variables (annals-sdk --help).`,
    };
  return { action: 'mcp' };
}
