import type { ExtractedItem } from '@annals/contracts';
import type { InvalidSentence } from '@annals/llm-core';
import { repairWriting, type AuthoredMessage } from './repair-writing.js';
import type { Rewrite } from './rewrite-sentences.js';

const MESSAGE: AuthoredMessage = { id: 'm1', role: 'user', content: 'words', actorId: 'Ana', saidAt: 0 };

const item = (content: string, more: Partial<ExtractedItem> = {}): ExtractedItem => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 2,
  evidence: [{ message_id: 'm1', quote: 'words' }],
  ...more,
});

const fine = item('Ana likes tea.');
const spoken = item('I like tea.');
const long = item('Ana likes tea. Ana likes cake. Ana likes rain.');
const held = item('I am quarantined.', { quarantineReason: 'quote_not_found' });

function repair(items: readonly ExtractedItem[], rewrite: Rewrite) {
  const asked: (readonly InvalidSentence[])[] = [];
  const repaired = repairWriting(items, [MESSAGE], async (broken) => {
    asked.push(broken);
    return rewrite;
  });
  return repaired.then((result) => ({ ...result, asked }));
}
const answering = (...sentences: [number, string][]): Rewrite => ({ answered: true, value: new Map(sentences) });
const contents = (items: readonly ExtractedItem[]) => items.map(({ content }) => content);

describe('repairWriting', () => {
  it('asks nobody when all is well, and does not look at what is quarantined', async () => {
    const { items, report, asked } = await repair([fine, held], answering());
    expect(asked).toEqual([]);
    expect(items).toEqual([fine, held]);
    expect(report).toMatchObject({ checked: 1, passed: 1, rejected: [], broken: {}, notRewritten: null });
  });

  it('asks once for all, and keeps what comes back well written', async () => {
    const { items, report, asked } = await repair(
      [spoken, fine, long],
      answering([0, 'Ana likes tea and milk.'], [1, 'Ana likes many things.']),
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject([
      { rules: ['not_third_person'], quote: 'words', message: { actorId: 'Ana', createdAt: 0 } },
      { rules: ['too_many_sentences'] },
    ]);
    expect(contents(items)).toEqual(['Ana likes tea and milk.', 'Ana likes tea.', 'Ana likes many things.']);
    expect(report).toMatchObject({ checked: 3, passed: 1, rewritten: 2, trimmed: 0, rejected: [] });
    expect(report.broken).toEqual({ not_third_person: 1, too_many_sentences: 1 });
  });

  it('cuts what is only too long, and keeps nothing else that stays broken, with the reason', async () => {
    const { items, report } = await repair([spoken, long], answering([0, 'She likes tea.']));
    expect(contents(items)).toEqual(['Ana likes tea. Ana likes cake.']);
    expect(report).toMatchObject({ passed: 0, trimmed: 1, rejected: [{ place: 0, rules: ['not_third_person'] }] });
  });

  it('does the same when no model could be asked, and says why', async () => {
    const { items, report } = await repair([spoken, long], { answered: false, why: 'budget' });
    expect(contents(items)).toEqual(['Ana likes tea. Ana likes cake.']);
    expect(report.notRewritten).toBe('budget');
  });

  it('points relations past what was not kept', async () => {
    const relation = { relation_type: 'follows', strength: 0.5 };
    const last = item('Ana likes rain.', {
      relations: [
        { ...relation, to_index: 0 },
        { ...relation, to_index: 1 },
      ],
    });
    const { items } = await repair([spoken, fine, last], answering());
    expect(items[1]?.relations).toEqual([{ ...relation, to_index: 0 }]);
  });
});
