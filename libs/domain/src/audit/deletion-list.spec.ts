import { deletionSubject, FIRST_SIGNATURE, signDeletionLine, verifyDeletionLine } from './deletion-list.js';

const KEY = Buffer.alloc(32, 7);
const OTHER_KEY = Buffer.alloc(32, 8);
const PLACE = { tenantId: '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5f', kind: 'checkpoint' };

describe('the subject of a deletion', () => {
  it('differs between keys, tenants, kinds, ids and their order, and contains none of them', () => {
    const subjects = [
      deletionSubject(KEY, PLACE, 'ada', 'thread'),
      deletionSubject(OTHER_KEY, PLACE, 'ada', 'thread'),
      deletionSubject(KEY, { ...PLACE, tenantId: '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e' }, 'ada', 'thread'),
      deletionSubject(KEY, { ...PLACE, kind: 'app' }, 'ada', 'thread'),
      deletionSubject(KEY, PLACE, 'thread', 'ada'),
      deletionSubject(KEY, PLACE, 'adathread'),
      deletionSubject(KEY, PLACE, 'ada', 'thread', ''),
    ];
    expect(new Set(subjects).size).toBe(subjects.length);
    for (const subject of subjects) expect(subject).toMatch(/^[0-9a-f]{64}$/);
    expect(deletionSubject(KEY, PLACE, 'ada', 'thread')).toBe(subjects[0]);
  });
});

describe('the signature of a line', () => {
  it('covers the line, the one before it, and the key', () => {
    const line = { seq: 1, kind: 'user' };
    const signature = signDeletionLine(KEY, FIRST_SIGNATURE, line);
    expect(verifyDeletionLine(KEY, FIRST_SIGNATURE, { kind: 'user', seq: 1 }, signature)).toBe(true);
    expect(verifyDeletionLine(KEY, FIRST_SIGNATURE, { ...line, seq: 2 }, signature)).toBe(false);
    expect(verifyDeletionLine(KEY, signature, line, signature)).toBe(false);
    expect(verifyDeletionLine(OTHER_KEY, FIRST_SIGNATURE, line, signature)).toBe(false);
    expect(verifyDeletionLine(KEY, FIRST_SIGNATURE, line, '')).toBe(false);
  });
});
