import { ProblemError } from '@annals/contracts';
import { z } from 'zod';
import { parsePart } from './parse-part.js';

function catchProblem(work: () => unknown): ProblemError {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('parsePart', () => {
  const schema = z.strictObject({
    name: z.string(),
    list: z.array(z.strictObject({ n: z.number().max(5) })).optional(),
  });

  it('gives the parsed value', () => {
    expect(parsePart('body', schema, { name: 'a' })).toEqual({ name: 'a' });
  });

  it('names fields by their path', () => {
    const { options } = catchProblem(() => parsePart('body', schema, { name: 'a', list: [{ n: 1 }, { n: 9 }] }));
    expect(options.errors).toMatchObject([{ path: 'body.list[1].n' }]);
  });

  it('says of a missing field that it is required', () => {
    const { options } = catchProblem(() => parsePart('body', schema, {}));
    expect(options.errors).toEqual([{ path: 'body.name', message: 'This field is required.' }]);
  });

  it('names a plain unknown field, and does not repeat one that could be anything', () => {
    const { options } = catchProblem(() => parsePart('body', schema, { name: 'a', mood: 1, 'my own words': 2 }));
    expect(options.errors!.map(({ path }) => path)).toEqual(['body.mood', 'body']);
  });

  it('shows at most twenty errors', () => {
    const list = Array.from({ length: 100 }, () => ({ n: 9 }));
    const problem = catchProblem(() => parsePart('body', schema, { name: 'a', list }));
    expect(problem.options.errors).toHaveLength(20);
    expect(problem.detail).toContain('99 more');
  });
});
