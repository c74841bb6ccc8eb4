import { parseVaultFile } from './parse-vault-file.js';
import { MEMORY_FIELDS, planFileEdit, planNewFile } from './plan-edit.js';
import { frontMatterOf, renderVaultFile } from './render-vault-file.js';
import type { VaultMemory } from './vault-item.js';
import { VAULT_MEMORY } from './vault-memory.fixture.js';

const NOW = Date.UTC(2026, 0, 5);
const MEMORY: VaultMemory = {
  ...VAULT_MEMORY,
  revision: 2,
  hash: 'ab'.repeat(32),
  sources: ['019b8d62-8250-7630-a699-99bbf03bd6f8'],
};
const context = { now: NOW + 1_000, redact: (text: string) => text.replaceAll('secret', '[SECRET]') };
const edit = (from: string | RegExp, to: string, memory = MEMORY, successor: string | null = null) => {
  const { text } = renderVaultFile(MEMORY);
  const edited = text.replace(from, to);
  return planFileEdit(parseVaultFile(edited)!, memory, { ...context, successor });
};

describe('an edit of the file of a memory', () => {
  it('is none when an editor only writes the front matter in another form', () => {
    expect(edit('importance: 3', 'importance: "3"')).toEqual({ kind: 'same' });
    expect(edit(/sources:\n {2}- (.*)\n/, 'sources: [$1]\n')).toEqual({ kind: 'same' });
    expect(edit(/created_at: (.*)\n/, "created_at: '$1'\n")).toEqual({ kind: 'same' });
  });

  it('knows all fields that a memory can have', () => {
    const time = NOW;
    const ended = { validTo: time, closedAt: time, replacedBy: 'another', deletedAt: time, deletedBy: 'user' };
    expect(Object.keys(frontMatterOf({ ...MEMORY, ...ended })).toSorted()).toEqual([...MEMORY_FIELDS].toSorted());
  });

  it('replaces the memory, with its other fields and a redacted text', () => {
    expect(edit('tea', 'secret')).toMatchObject({
      kind: 'change',
      isWhole: true,
      text: 'The user likes secret.',
      change: {
        kind: 'supersede',
        memoryId: MEMORY.id,
        memory: { content: 'The user likes [SECRET].', category: 'preferences', importance: 3, origin: 'manual' },
      },
    });
  });

  it('changes what may be changed in the front matter', () => {
    expect(edit('pinned: false', 'pinned: true')).toMatchObject({
      change: { kind: 'edit', memoryId: MEMORY.id, patch: { pinned: true } },
      isWhole: true,
    });
  });

  it.each([
    ['the id', /id: .*/, 'id: 019b8d62-0000-7000-8000-000000000000'],
    ['the time', /valid_from: .*/, 'valid_from: 2020-01-01T00:00:00.000Z'],
    ['a field of its own', 'pinned: false', 'pinned: false\naliases: [tea]'],
  ])('is refused when it only changes %s', (_what, from, to) => {
    expect(edit(from, to)).toMatchObject({ kind: 'refused', reason: 'read_only' });
  });

  it('names what is not valid', () => {
    expect(edit('importance: 3', 'importance: 7')).toMatchObject({
      reason: 'invalid',
      problems: [expect.stringMatching(/^importance: /)],
    });
    expect(edit('category: preferences', 'category: procedural')).toMatchObject({
      reason: 'invalid',
      problems: [expect.stringMatching(/^category: /)],
    });
    expect(edit('The user likes tea.', 'x'.repeat(2_001))).toMatchObject({ reason: 'invalid' });
  });

  it('is only its text when the front matter is of another revision', () => {
    const newer = { ...MEMORY, revision: 3, importance: 5 };
    expect(edit('tea', 'cake', newer)).toMatchObject({
      change: { kind: 'supersede', memory: { importance: 5 } },
      isWhole: false,
    });
    expect(edit('pinned: false', 'pinned: true', newer)).toMatchObject({ reason: 'not_current' });
  });

  it('comes too late for a memory that was replaced, unless that was by the same text', () => {
    const replaced = { ...MEMORY, replacedBy: 'another' };
    expect(edit('tea', 'cake', replaced)).toMatchObject({ reason: 'not_current' });
    expect(edit('tea', 'cake', replaced, 'The user likes cake.')).toEqual({ kind: 'same' });
  });
});

describe('a new file', () => {
  const add = (text: string, isCopy = false) =>
    planNewFile(parseVaultFile(text)!, { ...context, isCopy, threadId: null });

  it('becomes a memory with what its front matter says', () => {
    expect(add('---\ncategory: games\nvalid_from: 2020-01-01T00:00:00Z\n---\nThe user plays chess.')).toMatchObject({
      change: { kind: 'observe', memory: { category: 'games', validFrom: Date.UTC(2020, 0, 1), confidence: 1 } },
      isWhole: true,
    });
  });

  it('does not begin when that begins which it is a copy of', () => {
    const { text } = renderVaultFile({ ...MEMORY, confidence: 0.5 });
    expect(add(text.replace('tea', 'cake'), true)).toMatchObject({
      change: { memory: { content: 'The user likes cake.', validFrom: context.now, confidence: 1 } },
      isWhole: true,
    });
  });

  it('is not all taken over when it has fields that memories do not have', () => {
    expect(add('---\ntags: [a]\n---\nThe user plays chess.')).toMatchObject({ kind: 'change', isWhole: false });
  });

  it('cannot be a message', () => {
    expect(add('---\nrole: user\n---\nI play chess.')).toMatchObject({
      reason: 'invalid',
      problems: [expect.stringMatching(/^role: /)],
    });
  });
});
