import { parseArgs } from 'node:util';

export const USAGE = `Usage: annals doctor [--offline] [--json]

Checks configuration, stores, models and budgets of this environment, and says what to change.
It sends a few invented conversations to each configured model and tells what that cost.

  --offline  sends nothing to models and embedding servers
  --json     prints one JSON document

Ends with 0 when nothing failed, 1 when something did, 78 when the configuration is wrong.`;

export interface Wanted {
  readonly isOffline: boolean;
  readonly isJson: boolean;
}

/** Null when the arguments are none of ours. */
export function parseArguments(args: readonly string[]): Wanted | null {
  try {
    const options = { offline: { type: 'boolean' }, json: { type: 'boolean' } } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.join(' ') !== 'doctor') return null;
    return { isOffline: values.offline === true, isJson: values.json === true };
  } catch {
    return null;
  }
}
