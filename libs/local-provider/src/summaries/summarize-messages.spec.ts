import { checkSentences, planSummary, type SummaryLevel, targetSummaryTokens } from '@annals/domain';
import {
  loadTokenCounter,
  nameSummarySpeakers,
  runAtOnce,
  type SummarySentence,
  type TokenCounter,
  UNKNOWN_USER,
} from '@annals/llm-core';
import { HOSTILE_TEXTS, MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import type { SummaryText } from './summary-text.fixture.js';
import { SUMMARY_TEXTS } from './summary-texts.fixture.js';
import { type ExtractiveInput, SUMMARY_RULES, type SummaryMessage, summarizeMessages } from './summarize-messages.js';
import { UNSEEN_SUMMARY_TEXTS } from './unseen-texts.fixture.js';

let count: TokenCounter;
beforeAll(async () => {
  count = await loadTokenCounter();
});

const TEXTS = [...SUMMARY_TEXTS, ...UNSEEN_SUMMARY_TEXTS];
const KINDS = ['conversation', 'journal', 'document'] as const;
/** Of a text, where a reader would see what the rules choose. */
const LONG_SHARE = 0.35;

const sumTokens = (messages: readonly SummaryMessage[]) =>
  messages.reduce((sum, { content }) => sum + count(content), 0);
const join = (sentences: readonly SummarySentence[]) => sentences.map(({ text }) => text).join(' ');

function summarize(
  messages: readonly SummaryMessage[],
  options: Partial<ExtractiveInput> & Pick<ExtractiveInput, 'kind' | 'targetTokens'>,
): SummarySentence[] {
  const input: ExtractiveInput = { prompt: 'STANDARD', sentences: [], messages, user: UNKNOWN_USER, count, ...options };
  return runAtOnce(summarizeMessages(input));
}

function summarizeShare({ kind, messages }: SummaryText, share: number): SummarySentence[] {
  return summarize(messages, { kind, targetTokens: Math.round(sumTokens(messages) * share) });
}

/** The messages as sentences are checked against them. */
function toCited(messages: readonly SummaryMessage[]) {
  const name = nameSummarySpeakers(messages, UNKNOWN_USER);
  return new Map(messages.map((message) => [message.id, { ...message, speaker: name(message) }]));
}

/** Texts of a kind one after the other, again and again with other days and ids, until they have so many tokens. */
function writeLong(kind: SummaryText['kind'], tokens: number): SummaryMessage[] {
  const messages: SummaryMessage[] = [];
  const texts = TEXTS.filter((text) => text.kind === kind);
  for (let round = 0, sum = 0; sum < tokens; round += 1) {
    for (const message of texts[round % texts.length]!.messages) {
      const createdAt = message.createdAt + round * 7 * 86_400_000;
      messages.push({ ...message, id: `m${messages.length + 1}`, createdAt });
      sum += count(message.content);
    }
  }
  return messages;
}

describe.each(TEXTS.map((text) => [text.kind, text.name, text] as const))(
  'the summary of the %s about %s',
  (...[, , text]) => {
    const { messages, kind } = text;

    it('has sentences with messages that say the same, without small talk, the same each time', () => {
      const sentences = summarizeShare(text, LONG_SHARE);
      const checked = runAtOnce(checkSentences(sentences, toCited(messages)));
      expect(checked.rejected.map(({ index, facts }) => [sentences[index]!.text, facts])).toEqual([]);
      expect(checked.citedShare).toBe(1);
      const told = join(sentences);
      expect(text.junk.filter((junk) => told.includes(junk))).toEqual([]);
      expect(summarizeShare(text, LONG_SHARE)).toEqual(sentences);
    });

    it('is in the third person but for quotations, which are in the messages word for word', () => {
      const told = join(summarizeShare(text, LONG_SHARE));
      const quotations = [...told.matchAll(/“([^”]*)”/gu)].map(([, words]) => words!);
      const said = messages.map(({ content }) => content.replace(/["“”]/gu, "'")).join('\n');
      expect(quotations.filter((words) => !said.includes(words))).toEqual([]);
      expect(told.replace(/“[^”]*”/gu, '')).not.toMatch(/\b(?:I|my|me|we|our|us)\b/u);
    });

    it('is one sentence within the target of its level', () => {
      const tokens = sumTokens(messages);
      const targetTokens = targetSummaryTokens('L3', 'BRIEF', tokens);
      const sentences = summarize(messages, { prompt: 'BRIEF', kind, targetTokens });
      expect(sentences).toHaveLength(1);
      expect(count(sentences[0]!.text)).toBeLessThanOrEqual(targetTokens * 1.1);
    });
  },
);

describe('summaries without a model', () => {
  it('say what matters', () => {
    let [points, found] = [0, 0];
    for (const text of TEXTS) {
      const told = join(summarizeShare(text, LONG_SHARE)).toLowerCase();
      points += text.points.length;
      found += text.points.filter((point) => told.includes(point.toLowerCase())).length;
    }
    // Sentences at random have a third.
    expect(found / points).toBeGreaterThanOrEqual(0.45);
  });

  it('have nothing to say of small talk', () => {
    const messages = ['Hey!', 'Hi, how are you?', 'I am fine, thank you so much!', 'Have a great day!'].map(
      (content, index) => ({ id: `m${index}`, role: 'user' as const, actorId: 'Ana', content, createdAt: index }),
    );
    expect(summarize(messages, { kind: 'conversation', targetTokens: 100 })).toEqual([]);
  });

  it('say once what was said twice, with both messages', () => {
    const messages = ['I work as a nurse in Ghent.', 'It rains.', 'I work as a nurse in Ghent.'].map(
      (content, index) => ({
        id: `m${index}`,
        role: 'user' as const,
        actorId: 'Ana',
        content,
        createdAt: Date.UTC(2026, 4, 8),
      }),
    );
    expect(summarize(messages, { kind: 'conversation', targetTokens: 100 })).toEqual([
      { text: 'On 8 May 2026: Ana works as a nurse in Ghent.', messageIds: ['m0', 'm2'] },
    ]);
  });

  /** Follows the plan of a conversation by rules, and returns what each step made. */
  function follow(kind: SummaryText['kind'], messages: readonly SummaryMessage[]) {
    const byId = new Map(messages.map((message) => [message.id, message]));
    const light = messages.map(({ id, content }, index) => ({ id, seq: index + 1, tokens: count(content) }));
    const plan = planSummary({ kind, recipe: SUMMARY_RULES, messages: light, stored: [] });
    const made = new Map<string, SummarySentence[]>();
    const measured = plan.steps.map(({ tier, position, prompt, inputs, targetTokens }) => {
      const sentences = summarize(
        inputs.flatMap((input) => (input.type === 'messages' ? input.messages.map(({ id }) => byId.get(id)!) : [])),
        {
          kind,
          prompt,
          targetTokens,
          sentences: inputs.flatMap((input) =>
            input.type === 'summary' ? (made.get(`${input.tier}.${input.position}`) ?? []) : [],
          ),
        },
      );
      made.set(`${tier}.${position}`, sentences);
      return { tier, sentences, share: count(join(sentences)) / targetTokens };
    });
    return { level: plan.level, measured };
  }

  it.each(
    KINDS.flatMap((kind) =>
      (
        [
          [800, 'STANDARD'],
          [6_000, 'DETAILED'],
          [16_000, 'HIERARCHICAL'],
        ] as const
      ).map(([tokens, level]): [SummaryText['kind'], number, SummaryLevel] => [kind, tokens, level]),
    ),
  )('reach the targets in a %s of %i tokens: %s', (kind, tokens, level) => {
    const messages = writeLong(kind, tokens);
    const { level: planned, measured } = follow(kind, messages);
    expect(planned).toBe(level);
    for (const { share } of measured) {
      expect(share).toBeLessThanOrEqual(1.1);
      expect(share).toBeGreaterThan(0.7);
    }
    const cited = toCited(messages);
    const rejected = measured.flatMap(({ sentences }) =>
      runAtOnce(checkSentences(sentences, cited)).rejected.map(({ index, facts }) => [sentences[index]!.text, facts]),
    );
    expect(rejected).toEqual([]);
  });

  it('go on from an earlier summary', () => {
    const [text] = SUMMARY_TEXTS;
    const earlier = summarizeShare(text!, LONG_SHARE);
    const messages = [{ ...text!.messages[0]!, id: 'n1', content: 'I moved to Rotterdam with my wife Greta.' }];
    const rolled = summarize(messages, {
      prompt: 'ROLLING',
      kind: 'conversation',
      sentences: earlier,
      targetTokens: 200,
    });
    expect(rolled.slice(0, earlier.length)).toEqual(earlier);
    expect(rolled.at(-1)).toMatchObject({ messageIds: ['n1'] });
    expect(rolled.at(-1)!.text).toContain('Rotterdam');
  });

  it.each(KINDS)('yield after each message of a %s', (kind) => {
    const messages = writeLong(kind, 2_000);
    const options = { prompt: 'STANDARD', kind, sentences: [], user: UNKNOWN_USER, targetTokens: 100, count } as const;
    const work = summarizeMessages({ ...options, messages });
    let yields = 0;
    while (!work.next().done) yields += 1;
    expect(yields).toBe(messages.length);
  });

  it.each(HOSTILE_TEXTS.filter((_text, index) => index % 12 === 0))('take linear time for $name', ({ make }) => {
    const growth = measureCpuGrowth((length) => {
      const content = make(length);
      summarize([{ id: 'm1', role: 'user', actorId: null, content, createdAt: 0 }], {
        kind: 'document',
        targetTokens: 300,
      });
    }, 100_000);
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
