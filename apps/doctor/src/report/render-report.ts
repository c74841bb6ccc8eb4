import { type Finding, VERDICTS, type Verdict } from './finding.js';

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

/** The whole report as one JSON document. */
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
