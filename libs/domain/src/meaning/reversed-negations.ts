import { splitWords, stem } from '@annals/english';
import { type Fact, type FactList, listFacts } from './kept-facts.js';

/** What somebody speaks of is not said to be so. */
const MENTIONED =
  /(?<!\p{L})(?:mention(?:s|ed)?|(?:ask|talk|speak|spoke|writ|wrote|think|thought)\p{L}* (?:about|of)|comes? back to) [^,.;:]{1,80}/giu;

/**
 * Negations of the sources that the text states without one: "does not trust Bob" became "trusts Bob". What a source says
 * to be so elsewhere is no reversal: "trusts Bob again" (English).
 */
export function findReversedNegations(sources: readonly string[], text: string): FactList {
  const negationsOfText = listNegations(text).map(listNegated);
  const read = sources.map((source) => ({ negations: listNegations(source), source }));
  if (read.every(({ negations }) => negations.length === 0)) return [];
  const said = listStems(text.replace(MENTIONED, ' '));
  const affirmed = read.map(({ source, negations }) => listStems(removeTexts(source, negations)));
  return read
    .flatMap(({ negations }) => negations)
    .filter((negation) => {
      const words = listNegated(negation);
      const isSaid = words.length > 0 && hasAll(said, words);
      const isNegated = negationsOfText.some((others) => words.some((word) => others.includes(word)));
      return isSaid && !isNegated && !affirmed.some((stems) => hasAll(stems, words));
    });
}

function listNegations(text: string): Fact[] {
  return listFacts(text).filter(({ kind }) => kind === 'negation');
}

/** The stems of what is negated: "trust", "bob". What never happens on Fridays may happen on Mondays. */
function listNegated({ value, text }: Fact): string[] {
  const dates = listFacts(text).filter(({ kind }) => kind === 'date');
  return [...value.split(' ').slice(1), ...dates.flatMap((date) => splitWords(date.text).map(stem))];
}

function listStems(text: string): ReadonlySet<string> {
  return new Set(splitWords(text).map(stem));
}

function hasAll(stems: ReadonlySet<string>, words: readonly string[]): boolean {
  return words.every((word) => stems.has(word));
}

function removeTexts(source: string, facts: readonly Fact[]): string {
  let rest = '';
  let offset = 0;
  for (const { text } of facts) {
    const at = source.indexOf(text, offset);
    if (at < 0) continue;
    rest += source.slice(offset, at);
    offset = at + text.length;
  }
  return rest + source.slice(offset);
}
