import { createHash } from 'node:crypto';
import type { MadeByMinds, SourceMessage } from './read-minds.ts';

/** Figures by name, in the order in which they are printed. */
export type MindFigures = Readonly<Record<string, number | string>>;

type Insights = Pick<MadeByMinds, 'insights' | 'messages' | 'runs'>;
type Summaries = Pick<MadeByMinds, 'summaries' | 'messages' | 'runs'>;
type Sentence = MadeByMinds['summaries'][number]['sentences'][number];

/** Wider than the rules of the product, and without their exceptions. */
const SENSITIVE =
  /\b(?:ill(?:ness)?|sick\w*|health\w*|doctor\w*|hospital\w*|therap\w*|depress\w*|anxi\w*|cancer|diabet\w*|allerg\w*|pregnan\w*|church\w*|god|faith\w*|pray\w*|relig\w*|christian\w*|muslim\w*|jew\w*|politic\w*|democrat\w*|republican\w*|election\w*|vot(?:e|es|ed|ing)|activis\w*|gay|lesbian\w*|bisexual\w*|trans(?:gender)?|queer|lgbt\w*|pride|sexual\w*|gender\w*|ethnic\w*|immigra\w*|race|racial|nationalit\w*)\b/giu;
const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
/** Relative times are resolved: such a date need not be in the words of a message. */
const DATE = new RegExp(
  String.raw`\b(?:\d{1,2} )?(?:${MONTHS})(?: \d{4})?\b|\b(?:[Ii]n|of|spring|summer|autumn|winter) \d{4}\b`,
  'gu',
);
const NAME = new RegExp(String.raw`(?<![.!?:“"]\s|^|[“"])\b\p{Lu}[\p{L}’'-]+`, 'gu');

/** What is to hold of every insight, by a reading of its own. */
export function checkInsights({ insights, messages, runs }: Insights): MindFigures {
  const made = runs.filter(({ kind }) => kind === 'insights').map(({ counts }) => counts);
  const sum = (name: string) => made.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  const foreign = insights.flatMap(({ userId, ground }) =>
    ground.filter((one) => one.kind === 'message' && messages.get(one.message_id)?.userId !== userId),
  );
  const grounded = insights.filter(({ ground }) => ground.length > 0);
  return {
    'insights drafted': sum('drafted'),
    'insights rejected': sum('refused'),
    'insights stored': insights.length,
    'insights with ground': share(grounded.length, insights.length),
    'citations of insights': grounded.reduce((total, { ground }) => total + ground.length, 0),
    'citations of no or another person’s message': foreign.length,
    'insights with a word of a sensitive subject': insights.filter(({ content, tags }) =>
      findSensitive([content, ...tags].join(' ')),
    ).length,
  };
}

/** What is to hold of every summary, by a reading of its own; compression by depth and level. */
export function checkSummaries({ summaries, messages, runs }: Summaries): MindFigures {
  const sentences = summaries.flatMap((summary) => summary.sentences.map((sentence) => ({ ...sentence, summary })));
  const rejected = runs.reduce((total, { counts }) => total + (counts['rejected_sentences'] ?? 0), 0);
  const cited = sentences.filter(
    ({ message_ids: ids, summary }) =>
      ids.length > 0 && ids.every((id) => messages.get(id)?.conversationId === summary.conversationId),
  );
  const byDepth = Map.groupBy(summaries, ({ depth, level }) => `${depth} ${level}`);
  const compression = [...byDepth].toSorted(byName).map(([depth, of]) => {
    const mean = (value: (summary: (typeof of)[number]) => number) =>
      of.reduce((total, summary) => total + value(summary), 0) / of.length;
    const met = of.filter((summary) => summary.compression.meets_target).length;
    const ratio = percent(mean((summary) => summary.compression.ratio));
    const target = percent(mean((summary) => summary.compression.target_ratio));
    return [`compression ${depth} (${of.length})`, `${ratio}, target ${target}, met by ${share(met, of.length)}`];
  });
  return {
    summaries: summaries.length,
    ...Object.fromEntries(compression),
    sentences: sentences.length,
    'sentences that cite messages of their conversation': share(cited.length, sentences.length),
    'sentences rejected before': rejected,
    'sentences with an invented number': sentences.filter((one) => inventsNumber(one, messages)).length,
    'sentences with an invented name': sentences.filter((one) => inventsName(one, messages)).length,
  };
}

/** What consolidation and eviction did. */
export function countChanges({ changes, runs }: Pick<MadeByMinds, 'changes' | 'runs'>): MindFigures {
  const count = (name: string) => runs.reduce((total, { counts }) => total + (counts[name] ?? 0), 0);
  const by = Map.groupBy(changes, ({ change, state }) => `${change} ${state}`);
  return {
    ...Object.fromEntries(
      [...Map.groupBy(runs, ({ kind, state }) => `runs of ${kind}, ${state}`)]
        .toSorted(byName)
        .map(([name, of]) => [name, of.length]),
    ),
    ...Object.fromEntries(
      ['merge written', 'merge refused', 'link written', 'rerank written'].map((name) => [
        name,
        by.get(name)?.length ?? 0,
      ]),
    ),
    'pairs and candidates left for another day': count('postponed') + count('candidates_postponed'),
    'turns evicted': count('evicted_turns'),
    'facts evicted': count('evicted_facts'),
    'model calls': runs.reduce((total, { calls }) => total + calls, 0),
  };
}

/** The same for the same insights and summaries of the same messages, whatever their ids. */
export function digest({ insights, summaries }: MadeByMinds, messageIds: ReadonlyMap<string, string>): string {
  const name = (id: string) => messageIds.get(id) ?? id;
  const lines = [
    ...insights.map(({ userId, content, confidence, tags, ground }) => {
      const cited = ground.map((one) => (one.kind === 'message' ? name(one.message_id) : (one.content ?? '')));
      return JSON.stringify([userId, content, confidence, tags, cited.toSorted()]);
    }),
    ...summaries.map(({ level, position, from_seq: from, as_of_seq: to, sentences }) =>
      JSON.stringify([level, position, from, to, sentences.map(({ text, message_ids: ids }) => [text, ids.map(name)])]),
    ),
  ];
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}

export function findSensitive(text: string): string | undefined {
  return text.match(SENSITIVE)?.[0];
}

export function inventsNumber(sentence: Sentence, messages: ReadonlyMap<string, SourceMessage>): boolean {
  const said = new Set(readCited(sentence, messages).match(/\d+/gu));
  const numbers = sentence.text.replaceAll(DATE, ' ').match(/\d+/gu) ?? [];
  return numbers.some((number) => !said.has(number));
}

export function inventsName(sentence: Sentence, messages: ReadonlyMap<string, SourceMessage>): boolean {
  const said = readCited(sentence, messages).toLowerCase();
  const names = sentence.text.replaceAll(DATE, ' ').match(NAME) ?? [];
  return names.some((name) => !said.includes(name.replace(/[’']s$/u, '').toLowerCase()));
}

/** Words and speakers of the messages that a sentence cites. */
function readCited({ message_ids: ids }: Sentence, messages: ReadonlyMap<string, SourceMessage>): string {
  return ids
    .flatMap((id) => messages.get(id) ?? [])
    .map(({ speaker, content }) => `${speaker ?? ''} ${content}`)
    .join('\n');
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'none' : percent(part / whole);
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}
