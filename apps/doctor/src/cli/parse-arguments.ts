import { parseArgs } from 'node:util';

export const USAGE = `Usage: annals doctor [--offline] [--json]
       annals verify [--tenant <name>] [--export-heads <file>] [--against <file>] [--receipt <file>] [--json]

doctor checks configuration, stores, models and budgets of this environment, and prints what to change. It sends a few
sample conversations to each configured model and reports what that cost.

  --offline  calls no model and no embedding server, and does not count the stored vectors

verify recomputes the audit history of every user, checks the receipts of erasures, and prints every inconsistency.

  --tenant        verifies one tenant only
  --export-heads  writes the signed heads of all histories to a new file: store it outside of this installation
  --against       compares the histories with such a file, which also detects rewritten and truncated histories
  --receipt       verifies one receipt of an erasure, and nothing else

  --json  prints one JSON document

Exit codes: 0 nothing wrong, 1 a check failed, 64 wrong arguments, 69 verify could not run, 78 wrong configuration.`;

export type DoctorArguments = ReturnType<typeof parseDoctor>;
export type VerifyArguments = ReturnType<typeof parseVerify>;

/** Null for unknown or incomplete arguments. */
export function parseArguments([command, ...args]: readonly string[]): DoctorArguments | VerifyArguments | null {
  try {
    if (command === 'doctor') return parseDoctor(args);
    return command === 'verify' ? parseVerify(args) : null;
  } catch {
    return null;
  }
}

const FLAG = { type: 'boolean', default: false } as const;
const TEXT = { type: 'string' } as const;

function parseDoctor(args: string[]) {
  const { values } = parseArgs({ args, options: { offline: FLAG, json: FLAG } });
  return { command: 'doctor' as const, isOffline: values.offline, isJson: values.json };
}

/** `tenant` is a name, null for all; the others are paths of files, null for none. */
function parseVerify(args: string[]) {
  const options = { tenant: TEXT, 'export-heads': TEXT, against: TEXT, receipt: TEXT, json: FLAG };
  const { values } = parseArgs({ args, options });
  return {
    command: 'verify' as const,
    tenant: values.tenant ?? null,
    exportHeads: values['export-heads'] ?? null,
    against: values.against ?? null,
    receipt: values.receipt ?? null,
    isJson: values.json,
  };
}
