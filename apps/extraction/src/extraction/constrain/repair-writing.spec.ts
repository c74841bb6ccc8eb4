import type { ExtractedItem } from '@annals/contracts';
import { runAtOnce, UNKNOWN_USER } from '@annals/domain';
import type { InvalidSentence } from '@annals/llm-core';
import { readBatch } from '../ground/read-batch.js';
import { type AuthoredMessage, repairWriting, type Rewrite } from './repair-writing.js';

const MESSAGE: AuthoredMessage = { id: 'm1', role: 'user', content: 'words', actorId: 'Ana', saidAt: 0 };

const READING = runAtOnce(readBatch({ messages: [{ ...MESSAGE, seq: 0 }], context: [] }, UNKNOWN_USER));

const item = (content: string, more: Partial<ExtractedItem> = {}): ExtractedItem => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 2,
  evidence: [{ message_id: 'm1', quote: 'words' }],
  ...more,
});

const valid = item('Ana likes tea.');
const firstPerson = item('I like tea.');
const long = item('Ana likes tea. Ana likes cake. Ana likes rain.');
const quarantined = item('I am quarantined.', { quarantineReason: 'quote_not_found' });

function repair(items: readonly ExtractedItem[], rewrite: Rewrite) {
  const rewriteCalls: (readonly InvalidSentence[])[] = [];
  const repaired = repairWriting(items, [MESSAGE], READING, async (broken) => {
    rewriteCalls.push(broken);
    return rewrite;
  });
  return repaired.then((result) => ({ ...result, rewriteCalls }));
}
const answering = (...sentences: [number, string][]): Rewrite => ({ answered: true, value: new Map(sentences) });
const contents = (items: readonly ExtractedItem[]) => items.map(({ content }) => content);

describe('repairWriting', () => {
  it('makes no call when nothing violates a rule, and does not check quarantined memories', async () => {
    const { items, report, rewriteCalls } = await repair([valid, quarantined], answering());
    expect(rewriteCalls).toEqual([]);
    expect(items).toEqual([valid, quarantined]);
    expect(report).toMatchObject({ checked: 1, passed: 1, rejected: [], broken: {}, notRewritten: null });
  });

  it('rewrites all violations with one call, and uses the valid sentences', async () => {
    const { items, report, rewriteCalls } = await repair(
      [firstPerson, valid, long],
      answering([0, 'Ana likes tea and milk.'], [1, 'Ana likes many things.']),
    );
    expect(rewriteCalls).toHaveLength(1);
    expect(rewriteCalls[0]).toMatchObject([
      { rules: ['not_third_person'], quote: 'words', message: { speaker: 'Ana', createdAt: 0 } },
      { rules: ['too_many_sentences'] },
    ]);
    expect(contents(items)).toEqual(['Ana likes tea and milk.', 'Ana likes tea.', 'Ana likes many things.']);
    expect(report).toMatchObject({ checked: 3, passed: 1, rewritten: 2, trimmed: 0, rejected: [] });
    expect(report.broken).toEqual({ not_third_person: 1, too_many_sentences: 1 });
  });

  it('trims memories that are only too long, and rejects other violations with the reason', async () => {
    const { items, report } = await repair([firstPerson, long], answering([0, 'She likes tea.']));
    expect(contents(items)).toEqual(['Ana likes tea. Ana likes cake.']);
    expect(report).toMatchObject({ passed: 0, trimmed: 1, rejected: [{ place: 0, rules: ['not_third_person'] }] });
  });

  it('trims and rejects without a rewrite when no call can be made, and reports why', async () => {
    const { items, report } = await repair([firstPerson, long], { answered: false, asked: false, why: 'budget' });
    expect(contents(items)).toEqual(['Ana likes tea. Ana likes cake.']);
    expect(report.notRewritten).toBe('budget');
  });

  it('remaps relations around rejected memories', async () => {
    const relation = { relation_type: 'follows', strength: 0.5 };
    const last = item('Ana likes rain.', {
      relations: [
        { ...relation, to_index: 0 },
        { ...relation, to_index: 1 },
      ],
    });
    const { items } = await repair([firstPerson, valid, last], answering());
    expect(items[1]?.relations).toEqual([{ ...relation, to_index: 0 }]);
  });
});
