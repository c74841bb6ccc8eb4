import { instantSchema } from '@annals/contracts';
import { z } from 'zod';
import { catchProblem } from '../fixtures/catch-problem.fixture.js';
import { parsePart } from './parse-input.js';

describe('parsePart', () => {
  const schema = z.strictObject({
    name: z.string(),
    list: z.array(z.strictObject({ n: z.number().max(5) })).optional(),
  });

  it('returns the parsed value', () => {
    expect(parsePart('body', schema, { name: 'a' })).toEqual({ name: 'a' });
  });

  it('names fields by their path', () => {
    const { options } = catchProblem(() => parsePart('body', schema, { name: 'a', list: [{ n: 1 }, { n: 9 }] }));
    expect(options.errors).toMatchObject([{ path: 'body.list[1].n' }]);
  });

  it('reports a missing field as required', () => {
    const { options } = catchProblem(() => parsePart('body', schema, {}));
    expect(options.errors).toEqual([{ path: 'body.name', message: 'This field is required.' }]);
  });

  it('names an unknown field with a plain name, and does not repeat any other', () => {
    const { options } = catchProblem(() => parsePart('body', schema, { name: 'a', mood: 1, 'my own words': 2 }));
    expect(options.errors!.map(({ path }) => path)).toEqual(['body.mood', 'body']);
  });

  it('describes the first of thousands of unknown fields', () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]));
    const problem = catchProblem(() => parsePart('body', schema, { name: 'a', ...unknown }));
    expect(problem.options.errors).toHaveLength(20);
    expect(problem.message).toMatch(/body\.k0: This field is unknown: remove it\. \(and 19 more, see errors\)/);
  });

  it.each([
    [z.string(), 7, 'Send a string.'],
    [z.number(), 'my words', 'Send a number.'],
    [z.coerce.number().int(), 'my words', 'Send a number.'],
    [z.boolean(), 'my words', 'Send true or false.'],
    [z.array(z.string()), 'my words', 'Send an array.'],
    [z.strictObject({}), ['my words'], 'Send an object.'],
    [z.string().min(1), '', 'Send at least 1 character.'],
    [z.string().max(3), 'my words', 'Send at most 3 characters.'],
    [z.array(z.number()).max(2), [1, 2, 3], 'Send at most 2 items.'],
    [z.number().max(5), 9, 'Send at most 5.'],
    [z.enum(['user', 'tool']), 'my words', 'Use one of: user, tool.'],
    [z.uuid(), 'my words', 'Send an id exactly as a response returned it: a UUID.'],
    [z.iso.date(), 'my words', 'Send a UTC day, for example 2026-11-22.'],
    [instantSchema, 'my words', 'Send a time with a time zone, for example 2026-05-04T09:12:00Z.'],
    [instantSchema, '3000-01-01T00:00:00Z', 'Give a date between the years 1900 and 2200.'],
  ])('reports what to send instead, once per field: case %#', (rule, value, message) => {
    const { options } = catchProblem(() => parsePart('body', z.object({ field: rule }), { field: value }));
    expect(options.errors).toEqual([{ path: 'body.field', message }]);
  });

  it('reports at most twenty errors', () => {
    const list = Array.from({ length: 100 }, () => ({ n: 9 }));
    const problem = catchProblem(() => parsePart('body', schema, { name: 'a', list }));
    expect(problem.options.errors).toHaveLength(20);
    expect(problem.detail).toContain('99 more');
  });
});
