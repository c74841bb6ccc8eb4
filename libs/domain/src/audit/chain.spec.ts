import fc from 'fast-check';
import { type ChainRow, chainHash, contentHmac, GENESIS_HASH, verifyChain } from './chain.js';

function buildChain(payloads: readonly string[]): ChainRow[] {
  let prevHash = GENESIS_HASH;
  return payloads.map((payload, index) => {
    const fields = { id: String(index), event: 'ADD', content_hmac: contentHmac('salt', payload) };
    const row = { prevHash, hash: chainHash(prevHash, fields), fields };
    prevHash = row.hash;
    return row;
  });
}

describe('history chain', () => {
  it('pins the hash of a known row', () => {
    expect(chainHash(GENESIS_HASH, { b: 1, a: null })).toBe(
      '5949590672745d07d4ab1ed2cbd059b19f15e339189ed534162dc6926ce16f0b',
    );
  });

  it('does not depend on the order in which fields are written, nor on undefined ones', () => {
    expect(chainHash(GENESIS_HASH, { a: 1, b: [2, { c: 'x' }] })).toBe(
      chainHash(GENESIS_HASH, { b: [2, { c: 'x' }], a: 1, z: undefined }),
    );
  });

  it('gives another HMAC for another salt or content', () => {
    const hmacs = [contentHmac('s1', 'a'), contentHmac('s2', 'a'), contentHmac('s1', 'b')];
    expect(new Set(hmacs).size).toBe(3);
    expect(contentHmac(new TextEncoder().encode('s1'), 'a')).toBe(hmacs[0]);
  });

  it('verifies an empty and an untouched chain', () => {
    expect(verifyChain([])).toEqual({ ok: true, count: 0, head: GENESIS_HASH });
    const rows = buildChain(['x', 'y']);
    expect(verifyChain(rows, rows[1]!.hash)).toEqual({ ok: true, count: 2, head: rows[1]!.hash });
  });

  it('names the first row that was changed, removed, swapped or put in', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 8 }), fc.nat(), (payloads, pick) => {
        const rows = buildChain(payloads);
        const index = pick % rows.length;
        const changed = rows.with(index, { ...rows[index]!, fields: { ...rows[index]!.fields, event: 'DELETE' } });
        expect(verifyChain(changed)).toEqual({ ok: false, index, reason: 'wrong_hash' });
        expect(verifyChain(rows.toSpliced(0, 1))).toEqual({ ok: false, index: 0, reason: 'wrong_predecessor' });
        expect(verifyChain(rows.toSpliced(index, 0, rows[index]!)).ok).toBe(false);
      }),
    );
  });

  it('sees a rehashed row by its successor, and a cut end only by the expected head', () => {
    const rows = buildChain(['x', 'y', 'z']);
    const fields = { ...rows[1]!.fields, event: 'DELETE' };
    const forged = rows.with(1, { prevHash: rows[1]!.prevHash, hash: chainHash(rows[1]!.prevHash, fields), fields });
    expect(verifyChain(forged)).toEqual({ ok: false, index: 2, reason: 'wrong_predecessor' });
    expect(verifyChain(rows.slice(0, 2)).ok).toBe(true);
    expect(verifyChain(rows.slice(0, 2), rows[2]!.hash)).toEqual({ ok: false, index: 2, reason: 'wrong_head' });
  });
});
