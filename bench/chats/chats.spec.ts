import { analyzeTerms } from '@annals/english';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { askInEachForm } from './ask.ts';
import { KINDS, PARTS, readChats } from './chat.ts';

const MAX_BYTES = 2.5 * 1024 * 1024;
/** A question that shares this many words in a row with its evidence is a quotation and not a paraphrase. */
const QUOTED_WORDS = 4;
/** The answer to these is computed from the evidence, so that its words need not stand there. */
const COMPUTED_KINDS = ['sum', 'order'];
/** An answer may word a refusal in its own way: "no links" for "links are useless to me". */
const NEGATION = 'no';

const chats = PARTS.flatMap((part) => readChats(part).map((chat) => ({ ...chat, part })));
const messagesOf = (chat: (typeof chats)[number]) => chat.sessions.flatMap(({ messages }) => messages);
const questions = chats.flatMap((chat) => chat.questions.map((question) => ({ chat, question })));

describe('chats with an assistant', () => {
  it('has three chats in each of ten domains, and holds out one of each', () => {
    const domains = Map.groupBy(chats, ({ domain }) => domain);
    expect(domains.size).toBe(10);
    const parts = [...domains.values()].map((ofDomain) => ofDomain.map(({ part }) => part).toSorted());
    expect(parts).toEqual(parts.map(() => ['development', 'development', 'held-out']));
  });

  it('has few enough bytes for the repository', () => {
    const files = PARTS.flatMap((part) => {
      const folder = path.join(import.meta.dirname, part);
      return readdirSync(folder).map((file) => statSync(path.join(folder, file)).size);
    });
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.each(chats)('$id: at least 100 messages with ids of their own, user and assistant in turn', (chat) => {
    const messages = messagesOf(chat);
    expect(messages.length).toBeGreaterThanOrEqual(100);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    const roles = messages.map(({ role }) => role);
    expect(roles).toEqual(messages.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
    expect(messages.every(({ speaker, role }) => speaker === role)).toBe(true);
  });

  it.each(chats)('$id: several sessions in order of time', ({ sessions }) => {
    const times = sessions.map(({ date }) => Date.parse(date));
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('says nothing twice, in one chat or two', () => {
    const texts = chats.flatMap(messagesOf).map(({ text }) => text.trim().toLowerCase());
    const repeated = texts.filter((text, index) => texts.indexOf(text) !== index);
    expect(repeated).toEqual([]);
  });
});

describe('questions about the chats', () => {
  it('are at least 400, of each kind and about the turns of both', () => {
    expect(questions.length).toBeGreaterThanOrEqual(400);
    for (const part of PARTS) {
      const ofPart = questions.filter(({ chat }) => chat.part === part);
      expect(new Set(ofPart.map(({ question }) => question.kind))).toEqual(new Set(KINDS));
      expect(ofPart.filter(({ question }) => question.role === 'user').length).toBeGreaterThan(50);
      expect(ofPart.filter(({ question }) => question.role === 'assistant').length).toBeGreaterThan(50);
    }
  });

  it.each(chats)('$id: evidence exists, and is all of the stated role', (chat) => {
    const roles = new Map(messagesOf(chat).map(({ id, role }) => [id, role]));
    const wrong = chat.questions.filter(
      ({ role, evidence }) => evidence.length === 0 || evidence.some((message) => roles.get(message) !== role),
    );
    expect(wrong).toEqual([]);
  });

  it.each(chats)('$id: sums and orders have several messages as evidence', (chat) => {
    const several = chat.questions.filter(({ kind }) => COMPUTED_KINDS.includes(kind));
    expect(several.filter(({ evidence }) => evidence.length < 2).map(({ id }) => id)).toEqual([]);
  });

  it('are asked as "I" and about "the user", in different words', () => {
    const first = questions.map(({ question }) => question.first);
    expect(first.filter((text) => !/\b(?:I|I'm|I've|me|my|mine|we|us|our)\b/iu.test(text))).toEqual([]);
    expect(first.filter((text) => /\bthe user\b/iu.test(text))).toEqual([]);
    const third = questions.map(({ question }) => question.third);
    expect(third.filter((text) => !/\bthe user\b/iu.test(text))).toEqual([]);
    expect(third.filter((text) => /\b(?:I|me|my)\b/u.test(text))).toEqual([]);
  });

  it('have answers in the words of their evidence', () => {
    const foreign = questions
      .filter(({ question }) => !COMPUTED_KINDS.includes(question.kind))
      .flatMap(({ chat, question }) => {
        const evidence = analyzeTerms(textOf(chat, question.evidence)).terms;
        const missing = [...analyzeTerms(question.answer).terms.keys()].filter(
          (stem) => stem !== NEGATION && !evidence.has(stem),
        );
        return missing.length === 0 ? [] : [`${chat.id} ${question.id}: ${missing.join(', ')}`];
      });
    expect(foreign).toEqual([]);
  });

  it('do not quote their evidence', () => {
    const quoted = questions.flatMap(({ chat, question }) => {
      const evidence = ` ${wordsOf(textOf(chat, question.evidence)).join(' ')} `;
      return [question.first, question.third].filter((text) => {
        const words = wordsOf(text);
        return words.some((_, start) => {
          const run = words.slice(start, start + QUOTED_WORDS);
          return run.length === QUOTED_WORDS && evidence.includes(` ${run.join(' ')} `);
        });
      });
    });
    expect(quoted).toEqual([]);
  });

  it('are asked in each form, with the same evidence', () => {
    const chat = chats[0]!;
    const [first, third, transposed] = askInEachForm(chat).questions;
    const [question] = chat.questions;
    expect([first?.question, third?.question]).toEqual([question?.first, question?.third]);
    expect([first?.form, third?.form, transposed?.form]).toEqual(['first', 'third', 'transposed']);
    expect([third?.evidence, transposed?.evidence]).toEqual([first?.evidence, first?.evidence]);
    expect(new Set([first?.id, third?.id, transposed?.id]).size).toBe(3);
  });
});

function textOf(chat: (typeof chats)[number], ids: readonly string[]): string {
  return messagesOf(chat)
    .filter(({ id }) => ids.includes(id))
    .map(({ text }) => text)
    .join('\n');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9']+/gu) ?? [];
}
