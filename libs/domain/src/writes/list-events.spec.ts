import { newMemory, observe, SimulatedLifecycle } from './lifecycle.fixture.js';
import { type CompletedWrite, listWriteEvents } from './list-events.js';
import { planWrites } from './plan-writes.js';
import type { MemoryChange, PlannedLink } from './types.js';

const TRIP = 'Ana flew to Rome.';
const TEA = 'Ana likes tea.';
const trip = observe(TRIP, { category: 'event', type: 'episodic' });
const tea = observe(TEA, { category: 'preferences' });

describe('listWriteEvents', () => {
  let lifecycle: SimulatedLifecycle;
  beforeEach(() => {
    lifecycle = new SimulatedLifecycle();
  });

  /** Carries out a write and lists its events in short: node, operation, status, memory, category, similarity. */
  const eventsOf = (changes: MemoryChange[], more: Partial<CompletedWrite> = {}) => {
    const stored = [...lifecycle.rows.values()];
    const plan = lifecycle.write(changes);
    const write = { node: 'hotpath', isBatch: true, similarity: null, changes, stored, plan, ...more };
    return listWriteEvents(write).map(({ node, op, status, memoryId, category, sim }) =>
      [node, op, status, memoryId, category, sim].join(' '),
    );
  };

  it('lists the steps of a batch in their order, with episodic memories under a node of their own', () => {
    const similarity = { nearest: new Map([[TEA, 0.25]]), found: false };
    expect(eventsOf([trip, tea], { similarity })).toEqual([
      'hotpath classify ok   ',
      'hotpath search skipped   0.25',
      'episodic create ok id-1 event ',
      'hotpath create ok id-2 preferences 0.25',
    ]);
  });

  it.each([
    ['nothing was found in it', [], 'hotpath classify skipped   '],
    [
      'all statements have one category',
      [tea, observe('Ana likes rain.', { category: 'preferences' })],
      'hotpath classify ok  preferences ',
    ],
  ])('classifies a batch when %s', (_when, changes, expected) => {
    expect(eventsOf(changes)[0]).toBe(expected);
  });

  it('searches with the best similarity of all statements, and finds what is near enough to be related', () => {
    const similarity = {
      nearest: new Map([
        [TRIP, 0.5],
        [TEA, 0.75],
      ]),
      found: true,
    };
    expect(eventsOf([trip, tea], { similarity })[1]).toBe('hotpath search ok   0.75');
  });

  it('lists no search when nothing was compared, and one without similarity when no memory is stored', () => {
    expect(eventsOf([tea])).toEqual(['hotpath classify ok  preferences ', 'hotpath create ok id-1 preferences ']);
    const similarity = { nearest: new Map(), found: false };
    expect(eventsOf([trip], { similarity })[1]).toBe('hotpath search skipped  event ');
  });

  it('calls it a merge when a statement in other words becomes evidence of a memory', () => {
    eventsOf([tea]);
    const rewording: MemoryChange = {
      kind: 'observe',
      memory: newMemory('Ana is fond of tea.', { category: 'preferences' }),
      matches: { sameAs: { memoryId: 'id-1', revision: 1 } },
    };
    expect(eventsOf([rewording])[1]).toBe('hotpath merge ok id-1 preferences ');
    expect(eventsOf([tea])[1]).toBe('hotpath update skipped id-1 preferences ');
  });

  it('lists one link for each memory with new relations, with the strongest', () => {
    const changes = [tea, observe('Ana likes rain.'), trip];
    const links: PlannedLink[] = [
      { from: 2, to: 0, relationType: 'related_to', strength: 0.5 },
      { from: 2, to: 1, relationType: 'related_to', strength: 0.625 },
    ];
    let count = 0;
    const plan = planWrites([], changes, links, { now: 0, nextId: () => `id-${++count}` });
    expect(eventsOf(changes, { plan }).slice(4)).toEqual(['episodic link ok id-3 event 0.625']);
  });

  it('distinguishes expiry from deletion, and keeps the node of what is not written from messages', () => {
    eventsOf([trip]);
    const expire: MemoryChange = { kind: 'delete', memoryId: 'id-1', by: 'ttl' };
    const remove: MemoryChange = { kind: 'delete', memoryId: 'id-1', by: 'user' };
    expect(eventsOf([expire], { node: 'worker', isBatch: false })).toEqual(['worker ttl ok id-1 event ']);
    expect(eventsOf([{ kind: 'restore', memoryId: 'id-1' }], { node: 'api', isBatch: false })).toEqual([
      'api restore ok id-1 event ',
    ]);
    expect(eventsOf([remove], { node: 'api', isBatch: false })).toEqual(['api delete ok id-1 event ']);
  });

  it('says nothing about a missing memory, whose id may be that of an erased user', () => {
    expect(eventsOf([{ kind: 'restore', memoryId: 'gone' }], { node: 'api', isBatch: false })).toEqual([]);
  });
});
