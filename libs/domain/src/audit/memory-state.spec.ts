import { newMemory } from '@annals/testing';
import { createRow } from '../writes/memory-row.js';
import type { StoredMemory } from '../writes/types.js';
import { memoryStateHmac } from './memory-state.js';

const [KEY, SALT] = [Buffer.alloc(32, 7), Buffer.alloc(16, 1)];
const MEMORY = createRow(newMemory('Ada likes tea.', 1_000), {
  id: '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e',
  now: 1_000,
  termCount: 2,
  supersededBy: null,
});
/** Fields that are computed from the content, and may be computed anew by another version of the analyser. */
const COMPUTED = ['hash', 'termCount', 'slot'];

const hmacOf = (fields: object = {}, key = KEY, salt = SALT) => memoryStateHmac(key, salt, { ...MEMORY, ...fields });

describe('the HMAC of a memory’s state', () => {
  it('differs for another key and another salt', () => {
    expect(hmacOf()).toMatch(/^[0-9a-f]{64}$/);
    expect(hmacOf({}, Buffer.alloc(32, 8))).not.toBe(hmacOf());
    expect(hmacOf({}, KEY, Buffer.alloc(16, 2))).not.toBe(hmacOf());
  });

  it.each(Object.keys(MEMORY).filter((field) => !COMPUTED.includes(field)))('covers %s', (field) => {
    const value = MEMORY[field as keyof StoredMemory];
    const isTime = /(?:At|From|To)$/.test(field);
    const other = field === 'formerEnds' ? [{ since: 1, validTo: null }] : isTime ? 2_000 : `${JSON.stringify(value)}.`;
    expect(hmacOf({ [field]: other })).not.toBe(hmacOf());
  });

  it.each(COMPUTED)('does not cover %s', (field) => {
    expect(hmacOf({ [field]: 'other' })).toBe(hmacOf());
  });

  it('is the same for a context as it is written and as PostgreSQL returns it', () => {
    const written = { mood: 'calm', intensity: undefined, tags: ['a', 'b'] };
    const read = { tags: ['a', 'b'], mood: 'calm' };
    expect(hmacOf({ emotionalContext: written })).toBe(hmacOf({ emotionalContext: read }));
  });
});
