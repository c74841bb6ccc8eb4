import { KnownUserForms } from './known-users.js';
import type { Redactor } from './redactor.js';

const redactor = {
  personalIds: 'hash',
  canHash: true,
  hashId: (id: string) => `hashed ${id}`,
  isPersonalId: () => false,
} as unknown as Redactor;

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
