import { describeError } from './describe-error.js';
import { sanitizeFields } from './sanitize.js';

const WORDS = 'Zenobia lives at 12 Elm Street';

function fail(message: string): Error {
  return new TypeError(message);
}

describe('describeError', () => {
  it('tells name, code and frames, and never the message', () => {
    const error = Object.assign(fail(WORDS), {
      code: '23505',
      constraint: 'memories_hash_key',
      detail: WORDS,
      status: 409,
    });
    const description = describeError(error);
    expect(description).toMatchObject({
      name: 'TypeError',
      code: '23505',
      constraint: 'memories_hash_key',
      status: 409,
    });
    expect(description.frames[0]).toMatch(/^at fail \(.*describe-error\.spec\.ts:\d+:\d+\)$/);
    expect(JSON.stringify(description)).not.toContain('Zenobia');
  });

  it('is not fooled by a message that looks like stack frames', () => {
    const message = `x\n    at Zenobia (12 Elm Street:1:1)\n    at ${WORDS}`;
    expect(JSON.stringify(describeError(fail(message)))).not.toMatch(/Zenobia|Elm/);
    const changed = fail(WORDS);
    changed.message = 'changed after the stack was taken';
    expect(JSON.stringify(describeError(changed))).not.toContain('Zenobia');
  });

  it('describes causes the same way, up to three', () => {
    const chain = [1, 2, 3, 4, 5].reduce((cause: Error, n) => new Error(`${WORDS} ${n}`, { cause }), fail(WORDS));
    const description = describeError(chain);
    expect(description.cause?.cause?.cause).toBeDefined();
    expect(description.cause?.cause?.cause?.cause).toBeUndefined();
    expect(JSON.stringify(description)).not.toContain('Zenobia');
  });

  it('drops names and codes that are sentences', () => {
    const error = Object.assign(fail(WORDS), { name: WORDS, code: WORDS });
    expect(describeError(error)).toMatchObject({ name: 'Error' });
    expect(describeError(error)).not.toHaveProperty('code');
  });

  it.each([
    ['a string', WORDS, 'thrown string'],
    ['null', null, 'thrown null'],
    ['an object', { message: WORDS }, 'thrown object'],
  ])('says only the kind of %s that was thrown', (_kind, thrown, name) => {
    expect(describeError(thrown)).toEqual({ name, frames: [] });
  });

  it('is what becomes of an error in any field of a line', () => {
    expect(JSON.stringify(sanitizeFields({ error: fail(WORDS), list: [fail(WORDS)] }))).not.toContain('Zenobia');
  });
});
