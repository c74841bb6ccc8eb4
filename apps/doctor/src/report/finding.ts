/** `skip`: not checked; `found` says why. */
export const VERDICTS = ['ok', 'warn', 'fail', 'skip'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The result of one check. Never holds a key, a password or the value of a variable that could contain one. */
export interface Finding {
  /** What was checked, for machines: `database.schema`, `claude.model`. */
  readonly check: string;
  readonly verdict: Verdict;
  /** What the check found, as a sentence. */
  readonly found: string;
  /** What to change, as a sentence; with every `warn` and `fail`. */
  readonly advice?: string;
}

export function ok(check: string, found: string): Finding {
  return { check, verdict: 'ok', found };
}

export function skip(check: string, found: string): Finding {
  return { check, verdict: 'skip', found };
}

export function warn(check: string, found: string, advice: string): Finding {
  return { check, verdict: 'warn', found, advice };
}

export function fail(check: string, found: string, advice: string): Finding {
  return { check, verdict: 'fail', found, advice };
}
