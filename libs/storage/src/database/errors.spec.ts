import { DatabaseUnavailableError, isTransientDatabaseError, sqlState } from './errors.js';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });

describe('isTransientDatabaseError', () => {
  it.each(['08006', '57P01', '57P03', '53300', '40001', '40P01', '55P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])(
    'returns true for %s',
    (code) => {
      expect(isTransientDatabaseError(withCode(code))).toBe(true);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('returns true for "%s"', (message) => {
    expect(isTransientDatabaseError(new Error(message))).toBe(true);
  });

  it.each(['23505', '42501', '42P01', '57014', '22P02'])('returns false for %s', (code) => {
    expect(isTransientDatabaseError(withCode(code))).toBe(false);
  });

  it('returns false for values that are no errors, and true for DatabaseUnavailableError', () => {
    for (const thrown of [undefined, 'connection terminated', { code: '08006' }]) {
      expect(isTransientDatabaseError(thrown)).toBe(false);
    }
    expect(isTransientDatabaseError(new DatabaseUnavailableError(undefined))).toBe(true);
  });
});

describe('sqlState', () => {
  it('returns codes of five characters, and undefined for anything else', () => {
    expect(sqlState(withCode('23505'))).toBe('23505');
    expect(sqlState(withCode('EPIPE'))).toBe('EPIPE');
    expect(sqlState(withCode('ECONNRESET'))).toBeUndefined();
    expect(sqlState(new Error('23505'))).toBeUndefined();
    expect(sqlState({ code: '23505' })).toBeUndefined();
  });
});
