/** The result of one check, over everything that happened in a run. */
export interface Verdict {
  readonly name:
    'lost' | 'doubled' | 'foreign' | 'overspent' | 'history' | 'erased' | 'checkpoints' | 'webhooks' | 'refused';
  /** What was examined, with how much of it. */
  readonly examined: string;
  readonly found: number;
  /** Some of what was found. */
  readonly examples: readonly string[];
}

const EXAMPLES = 10;

export function toVerdict(name: Verdict['name'], examined: string, offenders: readonly string[]): Verdict {
  return { name, examined, found: offenders.length, examples: offenders.slice(0, EXAMPLES) };
}
