import { isBodyReadError, isUnsentRequestError } from './map-failure.js';

function fail(facts: object, cause?: unknown): Error {
  return Object.assign(new Error('failed', { cause }), facts);
}

describe('isUnsentRequestError', () => {
  it.each([
    ['a refused connection', fail({ code: 'ECONNREFUSED', syscall: 'connect' }), true],
    ['an unknown host', fail({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), true],
    ['no route', fail({ code: 'EHOSTUNREACH', syscall: 'connect' }), true],
    ['a connection that took too long', fail({ code: 'UND_ERR_CONNECT_TIMEOUT' }), true],
    ['a wrapped connection error', fail({}, fail({}, fail({ syscall: 'connect' }))), true],
    [
      'an aggregate of connection errors',
      new AggregateError([fail({ syscall: 'connect' }), fail({ syscall: 'connect' })]),
      true,
    ],
    [
      'an aggregate with a reset connection',
      new AggregateError([fail({ syscall: 'connect' }), fail({ syscall: 'read' })]),
      false,
    ],
    ['a reset connection', fail({ code: 'ECONNRESET', syscall: 'read' }), false],
    ['a connection closed by the server', fail({ code: 'UND_ERR_SOCKET' }), false],
    ['a value that is not an error', 'connect', false],
  ])('classifies %s', (_what, error, expected) => {
    expect(isUnsentRequestError(error)).toBe(expected);
  });
});

describe('isBodyReadError', () => {
  it('recognises errors of unreadable bodies and no others', () => {
    expect([new SyntaxError('x'), new TypeError('terminated')].map(isBodyReadError)).toEqual([true, true]);
    expect([new Error('x'), new RangeError('x'), 'x', undefined].map(isBodyReadError)).toEqual(Array(4).fill(false));
  });
});
