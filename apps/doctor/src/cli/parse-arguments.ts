import { parseArgs } from 'node:util';

export const USAGE = `Usage: annals doctor [--offline] [--json]
       annals verify [--tenant <name>] [--export-heads <file>] [--against <file>] [--receipt <file>] [--json]

doctor checks configuration, stores, models and budgets of this environment, and prints what to change. It sends a few
sample conversations to each configured model and reports what that cost.

  --offline  calls no model and no embedding server

verify recomputes the audit history of every user, checks the receipts of erasures, and prints every inconsistency.

  --tenant        verifies one tenant only
  --export-heads  writes the signed heads of all histories to a new file: store it outside of this installation
  --against       compares the histories with such a file, which also detects rewritten and truncated histories
  --receipt       verifies one receipt of an erasure, and nothing else

  --json  prints one JSON document

Exit codes: 0 nothing wrong, 1 a check failed, 64 wrong arguments, 69 verify could not run, 78 wrong configuration.`;

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

/** Null for unknown or incomplete arguments. */
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
