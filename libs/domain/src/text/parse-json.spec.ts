import { parseJson } from './parse-json.js';

describe('parseJson', () => {
  it('returns the value of JSON, and null for anything else', () => {
    expect(parseJson('{"a": [1, null]}')).toEqual({ a: [1, null] });
    for (const text of ['', '{', 'undefined', "{'a': 1}", '1 2']) expect(parseJson(text)).toBeNull();
  });
});
