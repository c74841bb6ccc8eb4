import { assertHandlers } from './assert-handlers.js';

const extraction = { queue: 'extraction', handler: 'ExtractionProcessor' };
const persistence = { queue: 'persistence', handler: 'PersistenceProcessor' };

describe('assertHandlers', () => {
  it('accepts one handler for each queue', () => {
    expect(() => assertHandlers(['extraction', 'persistence'], [persistence, extraction])).not.toThrow();
  });

  it('says how to add a missing handler', () => {
    expect(() => assertHandlers(['extraction', 'persistence'], [extraction])).toThrow(
      'Queue "persistence" has no handler: create a JobWorker for its definition and add it to this process.',
    );
  });

  it('names the handlers that share a queue', () => {
    const twice = { queue: 'extraction', handler: 'OldProcessor' };
    expect(() => assertHandlers(['extraction'], [extraction, twice])).toThrow(
      'Queue "extraction" has 2 handlers (ExtractionProcessor, OldProcessor): keep one.',
    );
  });

  it('rejects a handler without a queue', () => {
    expect(() => assertHandlers(['extraction'], [extraction, persistence])).toThrow(
      'PersistenceProcessor handles "persistence", which this process does not serve: remove it.',
    );
  });
});
