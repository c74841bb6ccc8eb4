import { findUnstorableJson, MAX_JSON_DEPTH } from './storable-json.js';

function nest(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

describe('findUnstorableJson', () => {
  it.each([{}, { a: [1, 'é', null, true, { b: '😀' }] }, nest(MAX_JSON_DEPTH)])('finds nothing in %j', (value) => {
    expect(findUnstorableJson(value)).toBeNull();
  });

  it.each([
    [{ a: ['x', { b: 'nul\u0000' }] }, ['a', 1, 'b']],
    [{ a: '\ud800' }, ['a']],
    [{ 'key\u0000': 1 }, ['key\u0000']],
    [{ a: { '\udc00': 1 } }, ['a', '\udc00']],
    [{ a: Number.POSITIVE_INFINITY }, ['a']],
  ])('finds where %j is', (value, path) => {
    expect(findUnstorableJson(value)).toMatchObject({ path, message: expect.any(String) });
  });

  it('finds what is nested too deep, however deep it is', () => {
    expect(findUnstorableJson(nest(50_000))).toMatchObject({ message: expect.stringContaining('levels deep') });
  });
});
