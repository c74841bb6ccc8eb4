import { analyzeTerms, splitWords, STOP_WORDS } from '@annals/english';

/** Words that say which, not what: they need not be said by an agent. */
const FREE = new Set('new old latest last current whole entire full all every daily weekly nightly monthly'.split(' '));
const NUMBER = /\d/u;
const LOOSE_END =
  /(?:\s+(?:the|a|an|my|our|your|of|for|to|in|on|at|from|with|by|and|or|new|old|latest|last|current|whole|entire|full|all|every))+$/iu;
const MAX_TAGS = 5;
const MIN_TAG_LENGTH = 2;
const MIN_WORDS = 2;

/**
 * The goal of a workflow, as in "publish release 2.4": the request as far as agents have used its words too, since a
 * title tells agents what to do and anybody can write a request. Where they share too few words, all of the request,
 * which is not `isShared`: an action would be another goal with every run.
 */
export function describeGoal(request: string, known: ReadonlySet<string>): { goal: string; isShared: boolean } {
  const words: string[] = [];
  for (const word of request.split(/\s+/u)) {
    const isKnown =
      words.length === 0 || FREE.has(word.toLowerCase()) || listStems(word).every((one) => known.has(one));
    if (!isKnown) break;
    words.push(word);
  }
  const goal = words.join(' ').replace(LOOSE_END, '');
  const contents = listStems(goal.split(' ').slice(1).join(' ')).filter((one) => !NUMBER.test(one) && !FREE.has(one));
  return contents.length + 1 >= MIN_WORDS ? { goal, isShared: true } : { goal: request, isShared: false };
}

/** The words that a workflow can be filed under: those of its goal. */
export function listTags(goal: string): string[] {
  const words = splitWords(goal).filter(
    (word) => word.length >= MIN_TAG_LENGTH && !NUMBER.test(word) && !STOP_WORDS.has(word) && !FREE.has(word),
  );
  return [...new Set(words)].slice(0, MAX_TAGS);
}

/** The stems of the words that carry meaning, each once. */
export function listStems(text: string): string[] {
  return [...analyzeTerms(text).terms.keys()];
}

export function collectStems(text: string): ReadonlySet<string> {
  return new Set(listStems(text));
}
