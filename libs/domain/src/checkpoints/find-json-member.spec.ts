import fc from 'fast-check';
import { findJsonMember } from './find-json-member.js';

const find = (json: string, name = 'data') => findJsonMember(Buffer.from(json), name)?.toString() ?? null;

describe('findJsonMember', () => {
  it.each<[string, string | null]>([
    ['{"data":{"a":[1,{"b":"}"}]},"version":3}', '{"a":[1,{"b":"}"}]}'],
    ['{ "version" : 3 , "data" : [ 1, 2 ] }', '[ 1, 2 ]'],
    ['{"data":123456789012345678901234567890.10}', '123456789012345678901234567890.10'],
    ['{"data":"a \\" data: \\\\"}', '"a \\" data: \\\\"'],
    ['{"x":{"data":1},"data":null}', 'null'],
    ['{"data":1,"d\\u0061ta":2}', '2'],
    ['{"x":"\\"data\\":7"}', null],
    ['{}', null],
  ])('finds in %s the member %s', (json, member) => {
    expect(find(json)).toBe(member);
  });

  it('returns the original bytes of any value, whatever the other members are', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('', ' ', '\n\t'),
        (data, rest, space) => {
          const beside = Object.entries(rest)
            .filter(([name]) => name !== 'data')
            .map(([name, value]) => `${space}${JSON.stringify(name)}${space}:${space}${JSON.stringify(value)}`);
          const json = `{${[`"data":${space}${data}${space}`, ...beside].join(',')}}`;
          expect(find(json)).toBe(data.trim());
        },
      ),
    );
  });

  it('terminates on text that is not JSON', () => {
    expect(() => find('{"data')).toThrow('not valid JSON');
  });
});
