import { parseArgs } from 'node:util';

export const USAGE = `Usage: annals doctor [--offline] [--json]
       annals verify [--tenant <name>] [--export-heads <file>] [--against <file>] [--receipt <file>] [--json]

doctor checks configuration, stores, models and budgets of this environment, and says what to change. It sends a few
invented conversations to each configured model and tells what that cost.

  --offline  sends nothing to models and embedding servers

verify recomputes the audit history of every user and the proofs of erasure, and says what does not fit.

  --tenant        looks at one tenant alone
  --export-heads  writes the signed ends of all histories into a new file: keep it elsewhere
  --against       holds the histories against such a file, which also finds what was rewritten as a whole or cut off
  --receipt       says whether a receipt of an erasure proves what it says

  --json  prints one JSON document

Ends with 0 when all is well, 1 when something is not, 69 when that cannot be told, 78 when the configuration is wrong.`;

export interface DoctorArguments {
  readonly command: 'doctor';
  readonly isOffline: boolean;
  readonly isJson: boolean;
}

export interface VerifyArguments {
  readonly command: 'verify';
  /** By name; null for all. */
  readonly tenant: string | null;
  readonly exportHeads: string | null;
  readonly against: string | null;
  readonly receipt: string | null;
  readonly isJson: boolean;
}

export type CliArguments = DoctorArguments | VerifyArguments;

/** Null when the arguments are none of ours. */
export function parseArguments([command, ...args]: readonly string[]): CliArguments | null {
  try {
    if (command === 'doctor') return parseDoctor(args);
    return command === 'verify' ? parseVerify(args) : null;
  } catch {
    return null;
  }
}

function parseDoctor(args: readonly string[]): DoctorArguments {
  const options = { offline: { type: 'boolean' }, json: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  return { command: 'doctor', isOffline: values.offline === true, isJson: values.json === true };
}

function parseVerify(args: readonly string[]): VerifyArguments {
  const options = {
    tenant: { type: 'string' },
    'export-heads': { type: 'string' },
    against: { type: 'string' },
    receipt: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  return {
    command: 'verify',
    tenant: values.tenant ?? null,
    exportHeads: values['export-heads'] ?? null,
    against: values.against ?? null,
    receipt: values.receipt ?? null,
    isJson: values.json === true,
  };
}
