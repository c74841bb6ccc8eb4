import type { LabelledMemoryPair } from './memory-pairs/memory-pairs.js';
import type { Rng } from '@annals/domain';

/** A model's decision about a pair. */
export type ScriptedDecision =
  { readonly verdict: 'merge'; readonly content: string } | { readonly verdict: 'link' | 'apart' };

export function answerHonestly({ expected, merged }: LabelledMemoryPair): ScriptedDecision {
  return expected === 'merge' ? { verdict: 'merge', content: merged! } : { verdict: expected };
}

type Lie = (pair: LabelledMemoryPair) => string;

/** Texts that change or lose something of a fact; those that cannot change anything return the text as it is. */
const SPOILERS: readonly Lie[] = [
  ({ merged }) => merged!.replace(/\d+/u, (figures) => String(Number(figures) + 1)),
  ({ merged }) => merged!.replace(/\b(?:two|three|four|six|thirty)\b/u, 'five'),
  ({ merged }) => merged!.replace(/(?<=\p{Ll} )\p{Lu}[\p{Ll}]+(?!.*(?<=\p{Ll} )\p{Lu})/u, 'Zelda'),
  ({ merged }) => merged!.replace(/\b(?:does not|do not) (\p{L}+)/u, '$1s').replace(/ (?:no|never|without) /u, ' '),
  ({ merged }) => merged!.replace(/^(The user|\p{Lu}\p{Ll}+) (\p{Ll}+)s /u, '$1 no longer $2s '),
  ({ merged }) =>
    merged!.replace(/^(The user|\p{Lu}\p{Ll}+) (?:has|is) /u, (words) =>
      words.replace(/has/u, 'had').replace(/is/u, 'was'),
    ),
  ({ merged }) =>
    merged!.replace(/^(The user|\p{Lu}\p{Ll}+) (work|play|like|need|cook|collect|visit|donate)e?s /u, '$1 $2ed '),
  ({ merged }) => merged!.replace(/ (?:in|on|at|with|of|as|since|from|every) [^.]+\.$/u, '.'),
  ({ merged }) => merged!.replace(/\.$/u, ' since 2014.'),
  ({ merged }) => merged!.replace(/^The user\b/u, 'Zelda'),
];

/** Texts that make one fact of two. */
const CONFUSIONS: readonly Lie[] = [
  ({ a }) => a,
  ({ b }) => b,
  ({ a, b }) => `${a.replace(/\.$/u, '')} and ${b.replace(/^(?:The user|\p{Lu}\p{Ll}+) /u, '')}`,
  ({ a, b }) => `${a.replace(/\.$/u, '')}; ${b}`,
];

/** A wrong decision: another text for one fact or none at all, or one text for two facts. */
export function lie(pair: LabelledMemoryPair, rng: Rng): ScriptedDecision {
  const pick = <T>(list: readonly T[]) => list[Math.floor(rng.nextFloat() * list.length)]!;
  if (pair.expected !== 'merge') return { verdict: 'merge', content: pick(CONFUSIONS)(pair) };
  return rng.nextFloat() < 0.2 ? { verdict: 'apart' } : { verdict: 'merge', content: pick(SPOILERS)(pair) };
}
