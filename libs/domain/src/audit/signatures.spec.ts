import { createHmac } from 'node:crypto';
import { encodeCanonicalJson } from '../text/canonical-json.js';
import {
  type ReceiptFields,
  signHeads,
  signReceipt,
  verifyHeadsSignature,
  verifyReceiptSignature,
} from './signatures.js';

const KEY = Buffer.alloc(32, 7);
const RECEIPT: ReceiptFields & { readonly userId: string } = {
  id: '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e',
  tenantId: '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5f',
  userId: 'ada',
  pseudonym: `pseudonym:${'12'.repeat(32)}`,
  erasedAt: '2026-01-05T09:00:00.000Z',
  counts: { messages: 3, memories: 2 },
  chain: { seq: 4, head: 'ab'.repeat(32) },
  resealed: null,
};

describe('signatures', () => {
  it('of receipts cannot be created or changed without the key', () => {
    const signature = signReceipt(KEY, RECEIPT);
    expect(verifyReceiptSignature(KEY, RECEIPT, signature)).toBe(true);
    expect(verifyReceiptSignature(KEY, { ...RECEIPT, counts: { memories: 2, messages: 3 } }, signature)).toBe(true);
    const changed: Partial<ReceiptFields>[] = [
      { id: RECEIPT.tenantId },
      { tenantId: RECEIPT.id },
      { pseudonym: `pseudonym:${'13'.repeat(32)}` },
      { resealed: { seq: 3, headHmac: 'cc'.repeat(32) } },
      { erasedAt: '2026-01-05T09:00:00.001Z' },
      { counts: { messages: 3, memories: 3 } },
      { chain: { seq: 5, head: RECEIPT.chain.head } },
      { chain: { seq: 4, head: 'ac'.repeat(32) } },
      { historyPseudonym: `pseudonym:${'13'.repeat(32)}` },
    ];
    for (const change of changed) expect(verifyReceiptSignature(KEY, { ...RECEIPT, ...change }, signature)).toBe(false);
    expect(verifyReceiptSignature(Buffer.alloc(32, 8), RECEIPT, signature)).toBe(false);
    expect(verifyReceiptSignature(KEY, RECEIPT, '')).toBe(false);
  });

  it('of receipts of earlier releases name the user, and are still valid', () => {
    const { id, tenantId, userId, erasedAt, counts, chain } = RECEIPT;
    const named = { id, tenant_id: tenantId, user_id: userId, erased_at: erasedAt, counts, chain };
    const signature = createHmac('sha256', KEY)
      .update(`annals.receipt.v1\n${encodeCanonicalJson(named)}`)
      .digest('hex');
    expect(verifyReceiptSignature(KEY, RECEIPT, signature)).toBe(true);
    expect(verifyReceiptSignature(KEY, { ...RECEIPT, userId: 'bob' }, signature)).toBe(false);
    const resealed = { seq: 3, headHmac: 'cc'.repeat(32) };
    expect(verifyReceiptSignature(KEY, { ...RECEIPT, resealed }, signature)).toBe(false);
    expect(verifyReceiptSignature(KEY, { ...RECEIPT, historyPseudonym: RECEIPT.pseudonym }, signature)).toBe(false);
  });

  it('of heads are not valid for receipts', () => {
    const digest = 'cd'.repeat(32);
    const signature = signHeads(KEY, digest);
    expect(verifyHeadsSignature(KEY, digest, signature)).toBe(true);
    expect(verifyHeadsSignature(KEY, 'ce'.repeat(32), signature)).toBe(false);
    expect(verifyHeadsSignature(Buffer.alloc(32, 8), digest, signature)).toBe(false);
    expect(verifyReceiptSignature(KEY, RECEIPT, signature)).toBe(false);
  });
});
