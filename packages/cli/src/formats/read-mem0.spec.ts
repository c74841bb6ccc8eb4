import { Mem0History, readMem0 } from './read-mem0.js';

const OPTIONS = { category: 'knowledge', categories: new Map<string, string>(), now: '2026-01-01T00:00:00.000Z' };
const event = (id: string, kind: string, old_memory: string | null, new_memory: string | null, created_at: string) => {
  return { id: `${id} ${created_at}`, memory_id: id, event: kind, old_memory, new_memory, created_at };
};

describe('a memory of mem0', () => {
  const read = (item: unknown, ...events: object[]) => {
    const history = new Mem0History();
    for (const each of events) expect(history.add(each)).toBe(true);
    return readMem0(item, history.versionsOf('m'), OPTIONS);
  };

  it('is followed by nothing when it never changed', () => {
    const item = {
      id: 'm',
      memory: 'Likes tea',
      created_at: '2024-01-01T00:00:00Z',
      updated_at: '2024-03-01T00:00:00Z',
    };
    expect(read(item)!.memories).toEqual([
      {
        id: 'm',
        content: 'Likes tea',
        category: 'knowledge',
        origin: 'manual',
        confidence: 1,
        importance: 3,
        valid_from: '2024-01-01T00:00:00.000Z',
        recorded_at: '2024-03-01T00:00:00.000Z',
      },
    ]);
  });

  it('comes behind its earlier texts, each superseded by the next one', () => {
    const item = { id: 'm', memory: 'Lives in Rome', created_at: '2024-01-01T00:00:00Z' };
    const memories = read(
      item,
      event('m', 'UPDATE', 'Lives in Bonn', 'Lives in Oslo', '2024-02-01T00:00:00Z'),
      event('m', 'ADD', null, 'Lives in Bonn', '2024-01-01T00:00:00Z'),
      event('m', 'UPDATE', 'Lives in Oslo', 'Lives in Rome', '2024-03-01T00:00:00Z'),
    )!.memories;
    expect(
      memories.map(({ id, content, valid_from, valid_to, superseded_by }) => [
        id,
        content,
        valid_from.slice(5, 7),
        valid_to?.slice(5, 7),
        superseded_by,
      ]),
    ).toEqual([
      ['m@1', 'Lives in Bonn', '01', '02', 'm@2'],
      ['m@2', 'Lives in Oslo', '02', '03', 'm'],
      ['m', 'Lives in Rome', '03', undefined, undefined],
    ]);
  });

  it('comes without earlier texts that are too long or empty, and the former ones lead to what is there', () => {
    const item = { id: 'm', memory: 'Lives in Rome', created_at: '2024-01-01T00:00:00Z' };
    const { memories, notTaken } = read(
      item,
      event('m', 'ADD', null, 'Lives in Bonn', '2024-01-01T00:00:00Z'),
      event('m', 'UPDATE', null, `${'a'.repeat(1_999)}😀`, '2024-02-01T00:00:00Z'),
      event('m', 'UPDATE', null, ' ', '2024-03-01T00:00:00Z'),
      event('m', 'UPDATE', null, 'b'.repeat(2_000), '2024-04-01T00:00:00Z'),
      event('m', 'UPDATE', null, 'Lives in Rome', '2024-05-01T00:00:00Z'),
    )!;
    expect(
      memories.map(({ id, content, valid_to, superseded_by }) => [
        id,
        content.length,
        valid_to?.slice(5, 7),
        superseded_by,
      ]),
    ).toEqual([
      ['m@1', 13, '02', 'm@4'],
      ['m@4', 2_000, '05', 'm'],
      ['m', 13, undefined, undefined],
    ]);
    expect(notTaken).toEqual([
      { kind: 'memory', id: 'm@2', reason: 'memories of more than 2000 characters', isRefused: false },
    ]);
  });

  it('that was deleted there is not taken', () => {
    const read_ = read({ id: 'm', memory: 'x' }, event('m', 'DELETE', 'x', null, '2024-01-01T00:00:00Z'));
    expect(read_).toMatchObject({ memories: [], notTaken: [{ reason: 'memories that were deleted in mem0' }] });
  });

  it('has the category that its own is mapped to, or the one for all others', () => {
    const categoryOf = (categories: string[], map: [string, string][] = []) =>
      readMem0(
        { id: 'm', memory: 'x', categories },
        { texts: [], isDeleted: false },
        { ...OPTIONS, categories: new Map(map) },
      )!.memories[0]!.category;
    expect(categoryOf(['unheard of', 'family'])).toBe('relationships');
    expect(categoryOf(['unheard of'], [['unheard of', 'goals']])).toBe('goals');
    expect(categoryOf([])).toBe('knowledge');
    expect(categoryOf(['constructor', 'toString'])).toBe('knowledge');
  });

  it.each([[null], ['text'], [{ id: 'm' }], [{ memory: 'x' }], [{ id: 7, memory: 'x' }]])('is not %j', (item) => {
    expect(read(item)).toBeNull();
  });
});
