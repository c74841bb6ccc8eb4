import type { Redactor } from '@annals/runtime';
import { KnownUserForms } from './known-users.js';

const redactorWith = (settings: object) =>
  ({
    personalIds: 'hash',
    idPolicy: 'hash GB key',
    canHash: true,
    hashId: (id: string) => (id.startsWith('hashed') ? id : `hashed ${id}`),
    isPersonalId: (id: string) => id.includes('@'),
    ...settings,
  }) as unknown as Redactor;
const redactor = redactorWith({});

/** Reads return the users who are stored; counted. */
function openForms(...stored: string[]) {
  const reads = { count: 0 };
  const readTenant = async () => {
    reads.count += 1;
    return stored;
  };
  return { forms: new KnownUserForms({ readTenant } as never), reads };
}

describe('forms of known users', () => {
  it('are read once for a request that names the user of its key', async () => {
    const { forms, reads } = openForms('hashed ada');
    const ids = ['ada'];
    const found = { ids, forms: await forms.find('acme', ids, redactor) };
    expect(await forms.find('acme', ids, redactor, found)).toEqual(new Map([['ada', 'hashed ada']]));
    expect(reads.count).toBe(1);
  });

  it.each([
    ['with personal data, hashed', 'eve@example.com', 'hashed eve@example.com'],
    ['without, as it was sent', 'eve', 'eve'],
  ])('are read once and for all for an id %s, and again under another setting', async (_form, id, stored) => {
    const { forms, reads } = openForms(stored);
    expect(await forms.find('acme', [id], redactor)).toEqual(new Map([[id, stored]]));
    expect(await forms.find('acme', [id], redactor)).toEqual(new Map());
    expect(reads.count).toBe(1);
    await forms.find('other', [id], redactor);
    await forms.find('acme', [id], redactorWith({ idPolicy: 'hash DE key' }));
    expect(reads.count).toBe(3);
  });

  it.each([
    ['stored in the form that the setting does not demand', 'eve@example.com', ['eve@example.com']],
    ['not stored', 'eve', []],
    ['stored in both', 'eve', ['eve', 'hashed eve']],
  ])('are read with each request for a user who is %s, who may be erased elsewhere', async (_how, id, stored) => {
    const { forms, reads } = openForms(...stored);
    await forms.find('acme', [id], redactor);
    await forms.find('acme', [id], redactor);
    expect(reads.count).toBe(2);
  });

  it('are not read for ids that are hashed already, nor where ids are not hashed', async () => {
    const { forms, reads } = openForms('hashed eve');
    expect(await forms.find('acme', ['hashed eve'], redactor)).toEqual(new Map());
    for (const setting of [{ personalIds: 'keep' }, { canHash: false }]) {
      expect(await forms.find('acme', ['eve'], redactorWith(setting))).toEqual(new Map());
    }
    expect(reads.count).toBe(0);
  });

  it('are read for the other users of a request, and kept together', async () => {
    const { forms, reads } = openForms('hashed ada', 'bob');
    const ids = ['ada'];
    const found = { ids, forms: await forms.find('acme', ids, redactor) };
    const both = await forms.find('acme', ['ada', 'bob'], redactor, found);
    expect([...both]).toEqual([
      ['ada', 'hashed ada'],
      ['bob', 'bob'],
    ]);
    expect(reads.count).toBe(2);
  });
});
