import { isPseudonym, userPseudonym } from './pseudonym.js';

const KEY = Buffer.alloc(32, 7);

describe('the pseudonym of a user', () => {
  it('is pinned, and differs for another user, tenant or key', () => {
    const pseudonym = userPseudonym(KEY, 'tenant', 'ada');
    expect(pseudonym).toBe('pseudonym:f6516d5618aa2860d389cdb9f357365c5db906475726d0219f589b05aab95b86');
    const others = [
      userPseudonym(KEY, 'tenant', 'bob'),
      userPseudonym(KEY, 'other', 'ada'),
      userPseudonym(Buffer.alloc(32, 8), 'tenant', 'ada'),
    ];
    expect(new Set([pseudonym, ...others]).size).toBe(4);
  });

  it('is its own pseudonym, and known as one', () => {
    const pseudonym = userPseudonym(KEY, 'tenant', 'ada');
    expect(userPseudonym(KEY, 'tenant', pseudonym)).toBe(pseudonym);
    expect(isPseudonym(pseudonym)).toBe(true);
    expect(isPseudonym(`${pseudonym}0`)).toBe(false);
    expect(isPseudonym('ada')).toBe(false);
  });
});
