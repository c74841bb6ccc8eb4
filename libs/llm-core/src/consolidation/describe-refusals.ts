import type { MergeProblem } from '@annals/domain';

/** A merge of the answer that was not accepted. `position`: of its pair in the prompt. */
export interface RefusedPair {
  readonly position: number;
  readonly problems: readonly MergeProblem[];
}

/** Words in one problem; the answer that is corrected is in the prompt as well. */
const MAX_NAMED = 6;

/**
 * The problem of an answer for the one corrective call: what each refused text lost, invented or changed. Null when no
 * text can mend it, because the memories of each pair are two facts.
 */
export function describeRefusals(refused: readonly RefusedPair[]): string | null {
  const sentences = refused
    .filter(({ problems }) => !problems.some(({ kind }) => kind === 'conflict'))
    .map(({ position, problems }) => `The text of p${position + 1} ${problems.map(describe).join(', and ')}.`);
  if (sentences.length === 0) return null;
  return `${sentences.join(' ')} Give another text for it, or RELATED when both cannot be said in one.`;
}

function describe(problem: MergeProblem): string {
  switch (problem.kind) {
    case 'lost':
      return `leaves out or changes ${list(problem.facts.map(({ text }) => text))}`;
    case 'invented':
      return `says ${list(problem.facts.map(({ text }) => text))}, which neither memory says`;
    case 'lost_words':
      return `leaves out words that carry what is said (stems: ${list(problem.words)})`;
    case 'invented_words':
      return `has words that neither memory has (stems: ${list(problem.words)})`;
    case 'changed':
      return CHANGES[problem.what];
    case 'writing':
      return `breaks rules of writing (${problem.rules.join(', ')})`;
    case 'conflict':
      return 'is about two facts';
  }
}

const CHANGES: Readonly<Record<Extract<MergeProblem, { kind: 'changed' }>['what'], string>> = {
  who: 'is about somebody or something else',
  tense: 'changes whether it holds now',
  limit: 'says differently how far or whether it holds',
  order: 'exchanges who does what to whom',
};

function list(words: readonly string[]): string {
  return words
    .slice(0, MAX_NAMED)
    .map((word) => `"${word}"`)
    .join(', ');
}
