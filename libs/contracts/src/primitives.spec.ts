import { externalIdSchema } from './primitives.js';

describe('an identifier of the caller', () => {
  it.each(['ada', 'ada lovelace', 'pseudonym:ada', `x pseudonym:${'0'.repeat(64)}`])('can be %j', (id) => {
    expect(externalIdSchema.parse(id)).toBe(id);
  });

  it('cannot be the pseudonym of an erased user', () => {
    const { error } = externalIdSchema.safeParse(`pseudonym:${'0a'.repeat(32)}`);
    expect(error?.issues[0]?.message).toMatch(/stands for an erased user/);
  });
});
