import pg from 'pg';
import { meterSql, type SqlFigures } from './sql-meter.ts';

type Query = (text: string) => Promise<unknown>;

describe('the meter of statements', () => {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  let answers: (() => void)[];
  let client: { query: Query };
  let read: () => SqlFigures;

  beforeEach(() => {
    answers = [];
    prototype.query = () => new Promise<void>((resolve) => answers.push(resolve));
    read = meterSql();
    client = Object.create(prototype) as { query: Query };
  });
  afterEach(() => {
    prototype.query = original;
  });

  const send = (...texts: string[]) => texts.map((text) => client.query(text));
  const answerAll = async (sent: Promise<unknown>[]) => {
    for (const answer of answers.splice(0)) answer();
    await Promise.all(sent);
  };

  it('has statements that are sent together share a round trip', async () => {
    await answerAll(send('BEGIN; SELECT 1', 'SELECT 2'));
    await answerAll(send('INSERT INTO memories VALUES (1)', 'COMMIT'));
    expect(read()).toEqual({ transactions: 1, memoryTransactions: 1, statements: 5, roundTrips: 2, calls: 0 });
  });

  it('counts a statement that waited for the first of two as a further round trip', async () => {
    const [begun, first] = send('BEGIN', 'SELECT 1', 'SELECT 2');
    answers.shift()!();
    answers.shift()!();
    await Promise.all([begun, first]);
    await answerAll(send('SELECT 3', 'COMMIT'));
    expect(read()).toMatchObject({ statements: 5, roundTrips: 2 });
  });

  it('keeps a transaction apart from the next, which is sent before it has ended', async () => {
    await answerAll(send('BEGIN', 'COMMIT', 'BEGIN', 'INSERT INTO memories VALUES (1)'));
    await answerAll(send('COMMIT'));
    expect(read()).toEqual({ transactions: 2, memoryTransactions: 1, statements: 5, roundTrips: 3, calls: 0 });
  });

  it('ends no transaction at the end of a savepoint, and counts calls outside of one', async () => {
    await answerAll(send('BEGIN', 'SAVEPOINT unit', 'ROLLBACK TO SAVEPOINT unit'));
    await answerAll(send('SELECT 1', 'COMMIT', 'SELECT 2'));
    expect(read()).toMatchObject({ transactions: 1, statements: 5, roundTrips: 2, calls: 1 });
  });
});
