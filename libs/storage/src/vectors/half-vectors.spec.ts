import fc from 'fast-check';
import { halfvecLiteral, readHalfvec } from './half-vectors.js';

const parse = (literal: string) => JSON.parse(literal) as number[];

describe('halfvecLiteral', () => {
  it('encodes a vector at unit length', () => {
    expect(parse(halfvecLiteral(Float32Array.from([3, -4])))).toEqual([0.6, -0.8]);
  });

  it('encodes a vector of zeros unchanged', () => {
    expect(parse(halfvecLiteral(new Float32Array(3)))).toEqual([0, 0, 0]);
  });

  it('preserves what half precision can represent of any vector', () => {
    const component = fc.float({ min: -10, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.array(component, { minLength: 1, maxLength: 64 }), (numbers) => {
        const length = Math.hypot(...numbers);
        fc.pre(length > 1e-3);
        const written = parse(halfvecLiteral(Float32Array.from(numbers)));
        written.forEach((value, index) => expect(Math.abs(value - numbers[index]! / length)).toBeLessThan(1e-6));
      }),
    );
  });
});

describe('readHalfvec', () => {
  it.each([
    ['0000', 0],
    ['3c00', 1],
    ['bc00', -1],
    ['3555', 0.333251953125],
    ['7bff', 65_504],
    ['0400', 2 ** -14],
    ['0001', 2 ** -24],
    ['83ff', -1_023 * 2 ** -24],
  ])('decodes %s as %d', (hex, value) => {
    expect([...readHalfvec(Buffer.from(`00010000${hex}`, 'hex'))]).toEqual([value]);
  });
});
