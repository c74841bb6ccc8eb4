import type { ImportedMemory } from '@annals/sdk';
import { divideMemory } from './divide-memory.js';

const MEMORY: ImportedMemory = {
  id: 'm',
  content: 'The user likes tea.',
  category: 'preferences',
  valid_from: '2024-01-01T10:00:00Z',
  recorded_at: '2024-01-01T10:00:00Z',
};
const sources = (count: number, quote = 'tea') =>
  Array.from({ length: count }, (_, index) => ({ message_id: `message ${index}`, quote }));
const relations = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    to: `memory ${index}`,
    relation_type: 'related_to',
    strength: 1,
  })) as NonNullable<ImportedMemory['relations']>;
const sizesOf = (memory: Partial<ImportedMemory>) =>
  divideMemory({ ...MEMORY, ...memory }).parts.map((part) => [part.sources?.length, part.relations?.length]);

describe('a memory with many references', () => {
  it('is sent once when a request takes them', () => {
    const memory = { ...MEMORY, sources: sources(100), relations: relations(100) };
    expect(divideMemory(memory)).toEqual({ parts: [memory], leftOutEnds: 0 });
    expect(divideMemory(MEMORY)).toEqual({ parts: [MEMORY], leftOutEnds: 0 });
  });

  it('is sent again with the further ones, and none is lost', () => {
    const { parts } = divideMemory({ ...MEMORY, sources: sources(250), relations: relations(101) });
    expect(parts.map((part) => [part.sources!.length, part.relations!.length])).toEqual([
      [100, 100],
      [100, 1],
      [50, 0],
    ]);
    expect(parts.flatMap((part) => part.sources)).toEqual(sources(250));
    expect(parts.flatMap((part) => part.relations)).toEqual(relations(101));
    for (const part of parts) expect(part).toMatchObject(MEMORY);
  });

  it('has a source each time, without which nothing extracted is taken', () => {
    expect(sizesOf({ sources: sources(2), relations: relations(150) })).toEqual([
      [2, 100],
      [2, 50],
    ]);
  });

  it('is divided by the size of its quotes as well', () => {
    expect(sizesOf({ sources: sources(9, 'x'.repeat(99_000)) }).map(([count]) => count)).toEqual([4, 4, 1]);
  });

  it('keeps the newest of its former ends', () => {
    const ends = Array.from({ length: 130 }, (_, index) => ({
      since: new Date(index * 1_000).toISOString(),
      valid_to: null,
    }));
    const { parts, leftOutEnds } = divideMemory({ ...MEMORY, former_ends: ends.toReversed() });
    expect(parts.map((part) => part.former_ends)).toEqual([ends.slice(30)]);
    expect(leftOutEnds).toBe(30);
  });
});
