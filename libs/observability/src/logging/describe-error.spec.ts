import { describeError } from './describe-error.js';
import { sanitizeFields } from './sanitize.js';

const USER_CONTENT = 'Zenobia lives at 12 Elm Street';

function fail(message: string): Error {
  return new TypeError(message);
}

describe('describeError', () => {
  it('returns name, code and frames, but never the message', () => {
    const error = Object.assign(fail(USER_CONTENT), {
      code: '23505',
      constraint: 'memories_hash_key',
      detail: USER_CONTENT,
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

  it('excludes lines of the message that look like stack frames', () => {
    const message = `x\n    at Zenobia (12 Elm Street:1:1)\n    at ${USER_CONTENT}`;
    expect(JSON.stringify(describeError(fail(message)))).not.toMatch(/Zenobia|Elm/);
    const changed = fail(USER_CONTENT);
    changed.message = 'changed after the stack was taken';
    expect(JSON.stringify(describeError(changed))).not.toContain('Zenobia');
  });

  it('describes up to three nested causes in the same way', () => {
    const chain = [1, 2, 3, 4, 5].reduce(
      (cause: Error, n) => new Error(`${USER_CONTENT} ${n}`, { cause }),
      fail(USER_CONTENT),
    );
    const description = describeError(chain);
    expect(description.cause?.cause?.cause).toBeDefined();
    expect(description.cause?.cause?.cause?.cause).toBeUndefined();
    expect(JSON.stringify(description)).not.toContain('Zenobia');
  });

  it('omits names and codes that are not identifiers', () => {
    const error = Object.assign(fail(USER_CONTENT), { name: USER_CONTENT, code: USER_CONTENT });
    expect(describeError(error)).toMatchObject({ name: 'Error' });
    expect(describeError(error)).not.toHaveProperty('code');
  });

  it.each([
    ['a string', USER_CONTENT, 'thrown string'],
    ['null', null, 'thrown null'],
    ['an object', { message: USER_CONTENT }, 'thrown object'],
  ])('returns only the type when %s was thrown', (_kind, thrown, name) => {
    expect(describeError(thrown)).toEqual({ name, frames: [] });
  });

  it('is applied to errors in any log field', () => {
    expect(JSON.stringify(sanitizeFields({ error: fail(USER_CONTENT), list: [fail(USER_CONTENT)] }))).not.toContain(
      'Zenobia',
    );
  });
});
