import { vectorColumn } from './vector-scan.js';

describe('vectorColumn', () => {
  it.each([
    { user: 'u', letters: 1, dimensions: 384, column: 'narrow' },
    { user: 'u', letters: 1, dimensions: 1_299, column: 'narrow' },
    { user: 'u', letters: 1, dimensions: 1_300, column: 'wide' },
    { user: 'u', letters: 1, dimensions: 1_536, column: 'wide' },
    { user: 'ü', letters: 200, dimensions: 1_024, column: 'narrow' },
    { user: '語', letters: 200, dimensions: 1_024, column: 'wide' },
  ])('stores $dimensions dimensions of a user named $letters times $user in $column', (given) => {
    expect(vectorColumn(given.user.repeat(given.letters), 'm', given.dimensions)).toBe(given.column);
  });
});
