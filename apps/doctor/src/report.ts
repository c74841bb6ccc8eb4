import type { ConfigError } from '@annals/config';

/** `skip`: not checked; `found` says why. */
const VERDICTS = ['ok', 'warn', 'fail', 'skip'] as const;
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

export function describeConfigError({ problems }: ConfigError): Finding[] {
  return problems.map(({ message }) => ({ check: 'configuration', verdict: 'fail', found: message }));
}

/** EX_UNAVAILABLE of sysexits.h: what a command needs cannot be reached or used. */
export const EXIT_CODE_UNAVAILABLE = 69;

/** Collects the findings of a run, each of which `onFinding` gets as soon as it is known. */
export class FindingLog {
  readonly findings: Finding[] = [];

  constructor(private readonly onFinding: (finding: Finding) => void) {}

  emit(...findings: readonly Finding[]): void {
    for (const finding of findings) {
      this.findings.push(finding);
      this.onFinding(finding);
    }
  }
}

const MICRO_USD = 1_000_000;

/** `$0.0012`: four decimals below a dollar, two above; rounded up. */
export function formatUsd(microUsd: number): string {
  const decimals = microUsd < MICRO_USD ? 4 : 2;
  const step = 10 ** (6 - decimals);
  return `$${((Math.ceil(microUsd / step) * step) / MICRO_USD).toFixed(decimals)}`;
}

const WIDTH = 5;

/** One line for each finding: `warn  Redis may drop jobs. Set maxmemory-policy to noeviction.` */
export function renderFinding({ verdict, found, advice }: Finding): string {
  return `${verdict.padEnd(WIDTH)} ${found}${advice === undefined ? '' : ` ${advice}`}`;
}

/** The last line: `2 checks failed, 1 warning, 14 passed.` */
export function renderSummary(findings: readonly Finding[]): string {
  const counts = countVerdicts(findings);
  const failed =
    counts.fail === 0 ? 'Nothing failed' : `${counts.fail} ${counts.fail === 1 ? 'check' : 'checks'} failed`;
  const warnings = `${counts.warn} ${counts.warn === 1 ? 'warning' : 'warnings'}`;
  return `${failed}, ${warnings}, ${counts.ok} passed${counts.skip === 0 ? '' : `, ${counts.skip} skipped`}.`;
}

export function renderJson(findings: readonly Finding[], spentMicroUsd: number): string {
  return JSON.stringify({ healthy: !hasFailed(findings), spentMicroUsd, counts: countVerdicts(findings), findings });
}

export function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ verdict }) => verdict === 'fail');
}

function countVerdicts(findings: readonly Finding[]): Record<Verdict, number> {
  const counts = VERDICTS.map((verdict) => [verdict, findings.filter((finding) => finding.verdict === verdict).length]);
  return Object.fromEntries(counts) as Record<Verdict, number>;
}
