import fc from 'fast-check';
import { chainHash, ChainVerifier, contentHmac, GENESIS_HASH, type HistoryLink, type LinkFault } from './chain.js';

describe('the hash of a history row', () => {
  it('is pinned for a known row', () => {
    expect(chainHash(GENESIS_HASH, { b: 1, a: null }, 1)).toBe(
      '5949590672745d07d4ab1ed2cbd059b19f15e339189ed534162dc6926ce16f0b',
    );
    expect(chainHash(GENESIS_HASH, { b: 1, a: null }, 2)).toBe(
      'fad6aae231ea0f6b342b6da8d7252a697eee2bd156bac82b495d7e465a08af5c',
    );
  });

  it('does not depend on the order in which fields are written, nor on undefined ones', () => {
    expect(chainHash(GENESIS_HASH, { a: 1, b: [2, { c: 'x' }] }, 2)).toBe(
      chainHash(GENESIS_HASH, { b: [2, { c: 'x' }], a: 1, z: undefined }, 2),
    );
  });

  it('covers an HMAC that differs for another salt or content', () => {
    const hmacs = [contentHmac('s1', 'a'), contentHmac('s2', 'a'), contentHmac('s1', 'b')];
    expect(new Set(hmacs).size).toBe(3);
    expect(contentHmac(new TextEncoder().encode('s1'), 'a')).toBe(hmacs[0]);
  });
});

const SALT = new TextEncoder().encode('salt');

function buildChain(contents: readonly string[]): HistoryLink[] {
  let prevHash = GENESIS_HASH;
  return contents.map((content, index) => {
    const hmac = contentHmac(SALT, content);
    const fields = { seq: index + 1, event: 'ADD', content_hmac: hmac };
    const link = {
      seq: index + 1,
      version: 2 as const,
      prevHash,
      hash: chainHash(prevHash, fields, 2),
      fields,
      contentHmac: hmac,
      content,
      salt: SALT,
      isContentErased: false,
    };
    prevHash = link.hash;
    return link;
  });
}

/** Faults by row number. */
function verifyAll(links: readonly HistoryLink[]) {
  const chain = new ChainVerifier();
  const faults: [seq: number, fault: LinkFault][] = [];
  for (const link of links) for (const fault of chain.verifyNext(link)) faults.push([link.seq, fault]);
  return { faults, end: chain.end };
}

const chains = fc.array(fc.string(), { minLength: 3, maxLength: 8 }).map(buildChain);

describe('ChainVerifier', () => {
  it('finds no fault in an unchanged chain, and returns its end', () => {
    expect(verifyAll([])).toEqual({ faults: [], end: { seq: 0, head: GENESIS_HASH } });
    const links = buildChain(['x', 'y']);
    expect(verifyAll(links)).toEqual({ faults: [], end: { seq: 2, head: links[1]!.hash } });
  });

  it('reports the row whose field, hash, content or salt was changed, and the row after a changed hash', () => {
    fc.assert(
      fc.property(chains, fc.nat(), (links, pick) => {
        const index = pick % (links.length - 1);
        const link = links[index]!;
        const { seq } = link;
        const change = (fields: Partial<HistoryLink>) => verifyAll(links.with(index, { ...link, ...fields })).faults;
        expect(change({ fields: { ...link.fields, event: 'DELETE' } })).toEqual([[seq, 'wrong_hash']]);
        expect(change({ content: `${link.content}.` })).toEqual([[seq, 'wrong_content']]);
        expect(change({ salt: new Uint8Array(16) })).toEqual([[seq, 'wrong_content']]);
        expect(change({ hash: '1'.repeat(64) })).toEqual([
          [seq, 'wrong_hash'],
          [seq + 1, 'wrong_predecessor'],
        ]);
      }),
    );
  });

  it('detects rows that were removed, swapped or inserted', () => {
    fc.assert(
      fc.property(chains, fc.nat(), (links, pick) => {
        const index = pick % (links.length - 1);
        const [row, next] = [links[index]!, links[index + 1]!];
        expect(verifyAll(links.toSpliced(index, 1)).faults).toEqual([
          [next.seq, 'gap'],
          [next.seq, 'wrong_predecessor'],
        ]);
        expect(verifyAll(links.with(index, next).with(index + 1, row)).faults.length).toBeGreaterThan(0);
        expect(verifyAll(links.toSpliced(index, 0, row)).faults.length).toBeGreaterThan(0);
      }),
    );
  });

  it('detects a rehashed row by the next row', () => {
    const links = buildChain(['x', 'y', 'z']);
    const fields = { ...links[1]!.fields, event: 'DELETE' };
    const forged = { ...links[1]!, fields, hash: chainHash(links[1]!.prevHash, fields, 2) };
    expect(verifyAll(links.with(1, forged)).faults).toEqual([[3, 'wrong_predecessor']]);
  });

  it('requires content until its purge or erasure, and its absence afterwards', () => {
    const [first, second] = buildChain(['x', 'y']) as [HistoryLink, HistoryLink];
    const bare = { content: null, salt: null };
    expect(verifyAll([{ ...first, ...bare }, second]).faults).toEqual([[1, 'content_missing']]);
    expect(verifyAll([{ ...first, ...bare, isContentErased: true }, second]).faults).toEqual([]);
    expect(verifyAll([{ ...first, isContentErased: true }, second]).faults).toEqual([[1, 'content_not_erased']]);
    expect(verifyAll([{ ...first, content: null, isContentErased: true }, second]).faults).toEqual([
      [1, 'wrong_content'],
    ]);
    const [silent] = buildChain(['']) as [HistoryLink];
    expect(verifyAll([{ ...silent, isContentErased: true }]).faults).toEqual([]);
  });
});
