import {
  analyzeQuery,
  analyzeTurns,
  encodeEntries,
  type PostingEntry,
  type PostingList,
  runAtOnce,
  scoreUnits,
} from '@annals/domain';
import { searchByBm25WithContext } from '../locomo/baselines.ts';
import { dateMessages, type DatedMessage } from '../locomo/data-set.ts';
import { askInEachForm, type AskedQuestion } from './ask.ts';
import { type Chat, readChats } from './chat.ts';

const DEPTH = 10;
/** One of the two development chats of each domain, to save time. */
const chats = readChats('development').filter(({ id }) => id.endsWith('-2'));

interface Ranked {
  readonly question: AskedQuestion;
  /** Share of the evidence among the first ten turns: of the lexical search, and of BM25 with context. */
  readonly recall: number;
  readonly baseline: number;
}

/** The lexical search over the turns of a chat alone: no facts, no vectors, no server. */
function searchTurns({ sessions }: Chat): (question: string) => string[] {
  const ids: string[] = [];
  const postings = new Map<string, PostingEntry[]>();
  let totalLength = 0;
  for (const session of sessions) {
    const run = dateMessages(session).map(({ id, text, role = 'user', saidAt }) => {
      return { id, role, speaker: null, content: text, saidAt, isNew: true };
    });
    for (const [id, { terms, length }] of runAtOnce(analyzeTurns(run))) {
      const unit = ids.push(id) - 1;
      totalLength += length;
      for (const [term, weight] of terms) postings.set(term, [...(postings.get(term) ?? []), { unit, weight, length }]);
    }
  }
  const lists = new Map([...postings].map(([term, entries]) => [term, encodeEntries(entries)]));
  const statistics = { memory: { units: 0, totalLength: 0 }, turn: { units: ids.length, totalLength } };
  return (question) => {
    const query = analyzeQuery(question, { now: Date.UTC(2026, 10, 23) });
    const found = query.flatMap(({ term }): PostingList[] =>
      lists.has(term) ? [{ term, kind: 'turn', entries: lists.get(term)! }] : [],
    );
    const { units } = scoreUnits({ lists: found, query, statistics, limit: DEPTH });
    return units.map(({ unit }) => ids[unit]!);
  };
}

async function rank(chat: Chat): Promise<Ranked[]> {
  const search = searchTurns(chat);
  const searchBaseline = await searchByBm25WithContext(chat.sessions.flatMap((session) => dateMessages(session)));
  const ranked: Ranked[] = [];
  for (const question of askInEachForm(chat).questions) {
    const found = await searchBaseline(question.question);
    const first = found.slice(0, DEPTH).map(({ id }: DatedMessage) => id);
    const shareOf = (ids: readonly string[]) =>
      question.evidence.filter((id) => ids.includes(id)).length / question.evidence.length;
    ranked.push({ question, recall: shareOf(search(question.question)), baseline: shareOf(first) });
  }
  return ranked;
}

const ranked = (await Promise.all(chats.map(rank))).flat();

/** In per cent. */
function mean(of: 'recall' | 'baseline', includes: (question: AskedQuestion) => boolean): number {
  const chosen = ranked.filter(({ question }) => includes(question));
  return (100 * chosen.reduce((sum, each) => sum + each[of], 0)) / chosen.length;
}

describe('ranking of turns in chats with an assistant (docs/reference/recall.md#whose-messages-a-query-is-about)', () => {
  it.each(
    (['user', 'assistant'] as const).flatMap((role) =>
      (['first', 'third', 'transposed'] as const).map((form) => [role, form] as const),
    ),
  )('finds five points more than BM25 with context in %s turns, asked in the form %s', (role, form) => {
    const includes = (question: AskedQuestion) => question.role === role && question.form === form;
    expect(mean('recall', includes)).toBeGreaterThanOrEqual(mean('baseline', includes) + 5);
  });

  it('finds as much for "the user" as for "I" with the same words', () => {
    const first = mean('recall', ({ form }) => form === 'first');
    const transposed = mean('recall', ({ form }) => form === 'transposed');
    expect(Math.abs(first - transposed)).toBeLessThanOrEqual(2);
  });
});
