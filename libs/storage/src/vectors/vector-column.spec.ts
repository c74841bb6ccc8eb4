import { vectorColumn } from './vector-column.js';

describe('vectorColumn', () => {
  it.each([
    ['u', 'm', 384, 'narrow'],
    ['u', 'm', 1_299, 'narrow'],
    ['u', 'm', 1_300, 'wide'],
    ['u', 'm', 1_536, 'wide'],
    ['ü'.repeat(200), 'm', 1_024, 'narrow'],
    ['語'.repeat(200), 'm', 1_024, 'wide'],
  ])('puts vectors of user %.1s… under %s with %d dimensions into %s', (user, model, dimensions, column) => {
    expect(vectorColumn(user, model, dimensions)).toBe(column);
  });
});
