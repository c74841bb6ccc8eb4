import { DatabaseUnavailableError, StatementEndedError } from '@annals/storage';
import { explainReadFailure } from './read-stored.js';

const FACTS = { check: 'embeddings.stored', unread: 'Stored vectors were not counted' };

describe('explainReadFailure', () => {
  it('warns of a lost connection and of a statement that takes too long, and of nothing else', () => {
    expect(explainReadFailure(new StatementEndedError(undefined), FACTS)).toMatchObject({
      verdict: 'warn',
      found: 'Stored vectors were not counted: PostgreSQL did not finish within 10 s.',
    });
    expect(explainReadFailure(new DatabaseUnavailableError(undefined), FACTS)).toMatchObject({
      check: 'embeddings.stored',
      verdict: 'warn',
      found: expect.stringContaining('connection'),
    });
    const refused = Object.assign(new Error('permission denied'), { code: '42501' });
    expect(() => explainReadFailure(refused, FACTS)).toThrow(refused);
  });
});
