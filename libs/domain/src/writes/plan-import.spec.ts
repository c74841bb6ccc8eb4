import { DAY, newMemory, SimulatedLifecycle } from './lifecycle.fixture.js';
import type { ImportedStatement, MemoryChange } from './types.js';

describe('an import', () => {
  let lifecycle: SimulatedLifecycle;
  beforeEach(() => {
    lifecycle = new SimulatedLifecycle();
  });

  const imported = (id: string, content: string, more: Partial<ImportedStatement> = {}): MemoryChange => {
    const memory = newMemory(content, { validFrom: DAY, origin: 'manual', sources: [], ...more });
    return {
      kind: 'import',
      memory: { ...memory, id, recordedAt: 2 * DAY, closedAt: null, formerEnds: [], supersededBy: null, ...more },
    };
  };
  const write = (...changes: MemoryChange[]) => lifecycle.write(changes).results;
  const outcomeOf = (change: MemoryChange) => write(change)[0]!;
  const find = (id: string) => lifecycle.rows.get(id)!;
  const all = () => [...lifecycle.rows.values()];

  it('keeps id and times, once', () => {
    const over = { validTo: 3 * DAY, closedAt: 4 * DAY, formerEnds: [{ since: 3 * DAY, validTo: 5 * DAY }] };
    expect(outcomeOf(imported('a', 'The user likes tea.', over))).toEqual({ outcome: 'inserted_ended', memoryId: 'a' });
    expect(find('a')).toMatchObject({ validFrom: DAY, recordedAt: 2 * DAY, revision: 1, ...over });
    expect(outcomeOf(imported('a', 'The user likes tea.', over))).toEqual({ outcome: 'unchanged', memoryId: 'a' });
    expect(find('a').revision).toBe(1);
  });

  it('links a memory to its successor as soon as that is there', () => {
    const over = { validTo: 3 * DAY, closedAt: 3 * DAY, supersededBy: 'b' };
    write(imported('a', 'The user likes tea.', over));
    expect(find('a').supersededBy).toBeNull();
    write(imported('b', 'The user likes coffee.', { validFrom: 3 * DAY }));
    expect(outcomeOf(imported('a', 'The user likes tea.', over)).outcome).toBe('updated');
    expect(find('a').supersededBy).toBe('b');
  });

  it('lets a memory that says the same stand for it, also as a successor', () => {
    write({ kind: 'observe', memory: newMemory('The user likes coffee.', { validFrom: 3 * DAY }) });
    const [known] = all();
    const results = write(
      imported('b', 'The user likes coffee.', { validFrom: 3 * DAY }),
      imported('a', 'The user likes tea.', { validTo: 3 * DAY, closedAt: 3 * DAY, supersededBy: 'b' }),
    );
    expect(results[0]).toEqual({ outcome: 'unchanged', memoryId: known!.id });
    expect(find('a').supersededBy).toBe(known!.id);
  });

  it('is refused when a person deleted the same statement after it was known', () => {
    write({ kind: 'observe', memory: newMemory('The user likes tea.') });
    write({ kind: 'delete', memoryId: all()[0]!.id, by: 'user' });
    expect(outcomeOf(imported('a', 'The user likes tea.')).outcome).toBe('suppressed');
  });

  it('ends where something begins that was said later and contradicts it', () => {
    write({ kind: 'observe', memory: newMemory('The user lives in Rome.', { validFrom: 5 * DAY, saidAt: 5 * DAY }) });
    const [rome] = all();
    expect(outcomeOf(imported('a', 'The user lives in Oslo.')).outcome).toBe('inserted_ended');
    expect(find('a')).toMatchObject({ validTo: 5 * DAY, supersededBy: rome!.id });
  });

  it('ends where it has ended elsewhere since it was imported, unless it was said again here later', () => {
    write(imported('a', 'The user likes tea.'), imported('b', 'The user likes milk.'));
    const over = { validTo: 3 * DAY, closedAt: 4 * DAY };
    expect(outcomeOf(imported('a', 'The user likes tea.', over)).outcome).toBe('updated');
    expect(find('a')).toMatchObject({ validTo: 3 * DAY, closedAt: 4 * DAY, formerEnds: [] });
    expect(outcomeOf(imported('a', 'The user likes tea.', over)).outcome).toBe('unchanged');
    write({ kind: 'observe', memory: newMemory('The user likes milk.', { validFrom: 5 * DAY, saidAt: 5 * DAY }) });
    expect(outcomeOf(imported('b', 'The user likes milk.', over)).outcome).toBe('unchanged');
    expect(find('b').validTo).toBeNull();
  });

  it('never lets memories replace each other in a circle', () => {
    const over = { validTo: 3 * DAY, closedAt: 3 * DAY };
    const [tea, milk] = [
      imported('a', 'The user likes tea.', { ...over, supersededBy: 'b' }),
      imported('b', 'The user likes milk.', { ...over, supersededBy: 'a' }),
    ];
    write(tea, milk);
    write(tea, milk);
    expect([find('a').supersededBy, find('b').supersededBy].filter((id) => id === null)).toHaveLength(1);
  });

  it('takes one that ends in the future as one that holds', () => {
    const later = { validTo: 1_000_000 * DAY };
    write({ kind: 'observe', memory: newMemory('The user lives in Rome.', { validFrom: 5 * DAY, saidAt: 5 * DAY }) });
    expect(outcomeOf(imported('a', 'The user lives in Oslo.', later)).outcome).toBe('inserted_ended');
    expect(find('a').validTo).toBe(5 * DAY);
    write(imported('b', 'The user lives in Bonn.', { ...later, validFrom: 7 * DAY, saidAt: 7 * DAY }));
    expect(all().find(({ content }) => content.includes('Rome'))).toMatchObject({
      validTo: 7 * DAY,
      supersededBy: 'b',
    });
    expect(find('b')).toMatchObject({ validTo: 1_000_000 * DAY, supersededBy: null });
  });

  it('gives its sources to the memory that says the same', () => {
    write({ kind: 'observe', memory: newMemory('The user likes tea.') });
    const [known] = all();
    const source = { messageId: `said at ${6 * DAY}`, quote: 'I like tea.' };
    const plan = lifecycle.write([imported('a', 'The user likes tea.', { sources: [source], saidAt: 6 * DAY })]);
    expect(plan.results).toEqual([{ outcome: 'unchanged', memoryId: known!.id }]);
    expect(plan.sources).toEqual([{ ...source, memoryId: known!.id }]);
  });
});
