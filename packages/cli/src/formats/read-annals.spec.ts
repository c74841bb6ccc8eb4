import { readAnnalsLine } from './read-annals.js';

describe('a memory of an export', () => {
  const endsOf = (former_ends: unknown) => {
    const line = readAnnalsLine({ kind: 'memory', data: { id: 'm', former_ends } });
    return line.is === 'memory' ? line.memory.former_ends : line;
  };

  it('has the times of its former ends', () => {
    expect(endsOf([{ since: 1_704_103_200_000, validTo: null }])).toEqual([
      { since: '2024-01-01T10:00:00.000Z', valid_to: null },
    ]);
  });

  it('keeps what is no time there, so that the server names it', () => {
    expect(endsOf([{ validTo: 1e18 }, { since: null, validTo: 0 }])).toEqual([
      { since: 'undefined', valid_to: '1000000000000000000' },
      { since: 'null', valid_to: '1970-01-01T00:00:00.000Z' },
    ]);
  });
});
