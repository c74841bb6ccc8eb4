import { pathOf, placeText, rangeOf, readPlaceText } from './item-place.js';

describe('the place of an item', () => {
  it.each([
    { namespace: ['a'], key: 'b.c' },
    { namespace: ['a', 'b'], key: 'c' },
    { namespace: ['a:b', 'ü'], key: '..' },
    { namespace: ['a'], key: '1:x' },
  ])('is read again from its text: %j', (place) => {
    expect(readPlaceText(placeText(place))).toEqual(place);
  });

  it('has another text for another place', () => {
    expect(placeText({ namespace: ['a'], key: 'b.c' })).not.toBe(placeText({ namespace: ['a', 'b'], key: 'c' }));
  });

  it('is in the range of its prefixes alone', () => {
    const paths = [['a'], ['a', 'b'], ['a-'], ['ab'], ['a', 'b', 'c'], ['a', 'bc'], ['b']].map(pathOf);
    const within = (prefix: readonly string[]) => {
      const range = rangeOf(prefix);
      return paths.filter((path) => range === null || (path >= range.from && path < range.to));
    };
    expect(within(['a'])).toEqual(['a.', 'a.b.', 'a.b.c.', 'a.bc.']);
    expect(within(['a', 'b'])).toEqual(['a.b.', 'a.b.c.']);
    expect(within([])).toEqual(paths);
  });
});
