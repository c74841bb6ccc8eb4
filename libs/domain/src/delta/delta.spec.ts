import { CHANGE_EVENTS } from '@annals/contracts';
import fc from 'fast-check';
import { computeNetChanges } from './compute-net-changes.js';
import { renderHeader } from './render-header.js';
import type { CategoryView, ThreadChange } from './thread-changes.js';

const ALL: CategoryView = { categories: null, exceptCategories: [] };

let n = 0;
const change = (event: ThreadChange['event'], memoryId: string, fields: Partial<ThreadChange> = {}): ThreadChange => ({
  revision: 1,
  n: n++,
  event,
  memoryId,
  category: 'goals',
  formerCategory: null,
  importance: 3,
  replaces: null,
  mergedInto: null,
  content: `About ${memoryId}`,
  ...fields,
});
const render = (changes: readonly ThreadChange[], view = ALL, omitted = 0) =>
  renderHeader({ since: 7, changes, omitted, view });

describe('renderHeader', () => {
  it('has the documented form', () => {
    const changes = [
      change('created', 'a', { category: 'personal', content: 'Preferred name is Ana', importance: 2 }),
      change('updated', 'b', { content: 'Ship v1 by Sep', importance: 2 }),
      change('merged', 'd', {
        category: 'health',
        mergedInto: 'c',
        content: 'The user is lactose intolerant',
        importance: 2,
      }),
    ];
    expect(render(changes)!.split('\n')).toEqual([
      'Memory updates since rev 7:',
      '- +created: [Personal] Preferred name is Ana (imp=2)',
      '- ↑updated: [Goals] Ship v1 by Sep',
      '- ↔merged: [Health] Combined 2 notes: The user is lactose intolerant',
    ]);
  });

  it('shows only the category of a deletion, by a user or by TTL', () => {
    const changes = [change('deleted', 'a', { category: 'recent_activity' }), change('soft_deleted', 'b')];
    expect(render(changes)).toBe(
      'Memory updates since rev 7:\n- −deleted: [Recent activity]\n- ↓soft_deleted: [Goals]',
    );
  });

  it('shows two of more than three, the most important first, and counts the rest', () => {
    const changes = ['a', 'b', 'c', 'd'].map((id, place) => change('created', id, { importance: place === 1 ? 5 : 2 }));
    expect(render(changes)!.split('\n').slice(1)).toEqual([
      '- +created: [Goals] About b (imp=5)',
      '- +created: [Goals] About d (imp=2)',
      '- and 2 more',
    ]);
    expect(render(changes.slice(0, 2), ALL, 9)).toContain('- and 9 more');
  });

  it('shortens a bullet to one line, and shows only the category when the content was deleted', () => {
    const [, bullet, ...others] = render([
      change('created', 'a', { content: `Two\nlines ${'word '.repeat(80)}` }),
    ])!.split('\n');
    expect(others).toEqual([]);
    expect(bullet).toMatch(/^- \+created: \[Goals\] Two lines (word )+word… \(imp=3\)$/);
    expect(bullet!.length).toBeLessThan(200);
    expect(render([change('created', 'a', { content: null })])).toContain('- +created: [Goals]');
  });

  it('is null without changes', () => {
    expect(render([])).toBeNull();
    expect(render([change('created', 'a')], { categories: ['tone'], exceptCategories: [] })).toBeNull();
  });

  it('reports memories that leave the view as deleted and those that enter it as created', () => {
    const goals: CategoryView = { categories: ['goals'], exceptCategories: [] };
    const out = change('updated', 'a', { category: 'tone', formerCategory: 'goals', content: 'secret' });
    const into = change('updated', 'b', { category: 'goals', formerCategory: 'tone' });
    expect(render([out], goals)).toBe('Memory updates since rev 7:\n- −deleted: [Goals]');
    expect(render([into], goals)).toContain('+created: [Goals] About b');
    expect(render([change('created', 'a'), out], goals)).toBeNull();
  });
});

describe('computeNetChanges', () => {
  const fold = (...changes: ThreadChange[]) =>
    computeNetChanges(changes).map(({ event, memoryId }) => [event, memoryId]);

  it.each<[string, ThreadChange[], [string, string][]]>([
    ['made and changed is made', [change('created', 'a'), change('updated', 'a')], [['created', 'a']]],
    ['made and deleted is nothing', [change('created', 'a'), change('updated', 'a'), change('deleted', 'a')], []],
    ['changed and deleted is deleted', [change('updated', 'a'), change('deleted', 'a')], [['deleted', 'a']]],
    ['deleted and restored is nothing', [change('soft_deleted', 'a'), change('restored', 'a')], []],
    [
      'a restored memory has its previous state again',
      [change('updated', 'a'), change('deleted', 'a'), change('restored', 'a')],
      [['updated', 'a']],
    ],
    [
      'created, then replaced, is: successor created',
      [change('created', 'a'), change('updated', 'b', { replaces: 'a' })],
      [['created', 'b']],
    ],
    [
      'created, then replaced twice at different times, is: both successors created',
      [change('created', 'a'), change('updated', 'b', { replaces: 'a' }), change('updated', 'c', { replaces: 'a' })],
      [
        ['created', 'b'],
        ['created', 'c'],
      ],
    ],
    [
      'replaced twice is: the last one updated',
      [change('updated', 'b', { replaces: 'a' }), change('updated', 'c', { replaces: 'b' })],
      [['updated', 'c']],
    ],
    [
      'created, deleted and restored is: created',
      [change('created', 'a'), change('deleted', 'a'), change('restored', 'a')],
      [['created', 'a']],
    ],
    [
      'created and deleted twice is: no change',
      [change('created', 'a'), change('soft_deleted', 'a'), change('deleted', 'a')],
      [],
    ],
    [
      'deleted twice, then restored, is: the state before',
      [change('updated', 'a'), change('soft_deleted', 'a'), change('deleted', 'a'), change('restored', 'a')],
      [['updated', 'a']],
    ],
    [
      'created, deleted, and created again is: created',
      [
        change('created', 'a'),
        change('created', 'b'),
        change('merged', 'a', { mergedInto: 'b' }),
        change('updated', 'a'),
      ],
      [
        ['created', 'b'],
        ['created', 'a'],
      ],
    ],
    [
      'created, replaced, and put back by undo is: created',
      [change('created', 'a'), change('updated', 'b', { replaces: 'a' }), change('updated', 'a', { replaces: 'b' })],
      [['created', 'a']],
    ],
    [
      'two created ones that are merged are: one created',
      [change('created', 'a'), change('created', 'b'), change('merged', 'b', { mergedInto: 'a' })],
      [['created', 'a']],
    ],
  ])('%s', (_rule, changes, expected) => {
    expect(fold(...changes)).toEqual(expected);
  });

  it('counts all memories that were merged into one', () => {
    const net = computeNetChanges([
      change('merged', 'b', { mergedInto: 'a' }),
      change('merged', 'c', { mergedInto: 'a' }),
    ]);
    expect(net).toMatchObject([{ event: 'merged', memoryId: 'a', merged: 3 }]);
  });
});

describe('a header of arbitrary changes', () => {
  const name = fc.constantFrom('goals', 'tone', 'style');
  const arbitrary = fc.array(
    fc.record({
      event: fc.constantFrom(...CHANGE_EVENTS),
      memoryId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      category: name,
      formerCategory: fc.option(name),
      replaces: fc.option(fc.constantFrom('a', 'b')),
      mergedInto: fc.option(fc.constantFrom('a', 'b')),
      importance: fc.option(fc.integer({ min: 1, max: 5 })),
    }),
    { maxLength: 12 },
  );

  it('has at most three bullets, shows no other categories, and is deterministic', () => {
    fc.assert(
      fc.property(arbitrary, fc.subarray(['goals', 'tone', 'style']), (parts, categories) => {
        const view = { categories, exceptCategories: [] };
        const changes = parts.map((part, place) =>
          change(part.event, part.memoryId, { ...part, n: place, content: `In ${part.category}` }),
        );
        const header = render(changes, view);
        expect(render(structuredClone(changes), view)).toBe(header);
        if (header === null) return;
        const [title, ...bullets] = header.split('\n');
        expect(title).toBe('Memory updates since rev 7:');
        expect(bullets.length).toBeGreaterThan(0);
        expect(bullets.length).toBeLessThanOrEqual(3);
        for (const other of ['goals', 'tone', 'style'].filter((each) => !categories.includes(each))) {
          expect(header.toLowerCase()).not.toContain(`[${other}]`);
          expect(header).not.toContain(`In ${other}`);
        }
      }),
    );
  });
});
