import type { QueryResult } from 'pg';
import { defineSet } from './set-statement.js';
import { StatementTurns, UnsentStatementError } from './statement-turns.js';

interface Sent {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  answer(rows: object[]): void;
  fail(error: Error): void;
}

const LOCK = defineSet<{ id: string }, { id: string }>('id text', 'lock');
const INSERT = defineSet<{ id: string }>('id text', 'insert');
const FINISH = defineSet<{ id: string }>('id text', 'finish');

const nextTurn = () => new Promise(setImmediate);

describe('StatementTurns', () => {
  let sent: Sent[];
  let turns: StatementTurns;

  beforeEach(() => {
    sent = [];
    turns = new StatementTurns(
      (sql, parameters) =>
        new Promise<QueryResult>((resolve, fail) => {
          const answer = (rows: object[]) => resolve({ rows, rowCount: rows.length } as unknown as QueryResult);
          sent.push({ sql, parameters, answer, fail });
        }),
    );
  });

  const nameOf = ({ sql }: Sent) => /(?:lock|insert|finish|plain.*)$/.exec(sql)?.[0];
  const given = ({ parameters }: Sent) => JSON.parse(parameters[0] as string) as object[];

  it('sends equal statements of a turn as one, and gives each piece of work its own rows', async () => {
    const [a, b] = [turns.addPiece(), turns.addPiece()];
    const answers = Promise.all([a.each(LOCK, { id: 'a' }), b.each(LOCK, { id: 'b' })]);
    await nextTurn();
    expect(sent.map(nameOf)).toEqual(['lock']);
    expect(given(sent[0]!)).toEqual([
      { w: 0, id: 'a' },
      { w: 1, id: 'b' },
    ]);
    expect(sent[0]!.parameters[1]).toBe(2);
    sent[0]!.answer([
      { w: 1, id: 'of b' },
      { w: 1, id: 'of b too' },
    ]);
    expect((await answers).map(({ rows }) => rows)).toEqual([
      [],
      [
        { w: 1, id: 'of b' },
        { w: 1, id: 'of b too' },
      ],
    ]);
  });

  it('keeps the order of each piece of work, and joins what others ask for between', async () => {
    const [a, b, c] = [turns.addPiece(), turns.addPiece(), turns.addPiece()];
    void a.each(LOCK, { id: 'a' });
    void a.each(FINISH, { id: 'a' });
    void b.each(INSERT, { id: 'b' });
    void b.each(FINISH, { id: 'b' });
    void c.each(LOCK, { id: 'c' });
    void c.each(INSERT, { id: 'c' });
    void c.each(FINISH, { id: 'c' });
    await nextTurn();
    expect(sent.map((statement) => [nameOf(statement), given(statement).length])).toEqual([
      ['lock', 2],
      ['insert', 2],
      ['finish', 3],
    ]);
  });

  it('sends a statement twice when two pieces of work need it in opposite orders', async () => {
    const [a, b] = [turns.addPiece(), turns.addPiece()];
    void a.each(LOCK, { id: 'a' });
    void a.each(INSERT, { id: 'a' });
    void b.each(INSERT, { id: 'b' });
    void b.each(LOCK, { id: 'b' });
    await nextTurn();
    const names = sent.map(nameOf);
    expect(names).toHaveLength(3);
    for (const [piece, order] of [
      ['a', ['lock', 'insert']],
      ['b', ['insert', 'lock']],
    ] as const) {
      const own = sent.filter((statement) => given(statement).some((row) => (row as { id: string }).id === piece));
      expect(own.map(nameOf)).toEqual(order);
    }
  });

  it('never joins plain statements', async () => {
    const [a, b] = [turns.addPiece(), turns.addPiece()];
    void a.plain('plain', [1], true);
    void b.plain('plain', [1], true);
    await nextTurn();
    expect(sent.map(({ sql, parameters }) => [sql, parameters])).toEqual([
      ['plain', [1]],
      ['plain', [1]],
    ]);
  });

  it('keeps what is left of ended work for the last turn, where that of its neighbours joins it', async () => {
    const [a, b] = [turns.addPiece(), turns.addPiece()];
    void a.each(FINISH, { id: 'a' });
    a.end();
    void b.each(LOCK, { id: 'b' });
    await nextTurn();
    expect(sent.map(nameOf)).toEqual(['lock']);
    void b.each(FINISH, { id: 'b' });
    b.end();
    turns.flush();
    expect(sent.map((statement) => [nameOf(statement), given(statement).length])).toEqual([
      ['lock', 1],
      ['finish', 2],
    ]);
    await nextTurn();
    expect(sent).toHaveLength(2);
  });

  it('rejects all pieces of a statement that fails, and what was not sent yet', async () => {
    const [a, b] = [turns.addPiece(), turns.addPiece()];
    const failing = Promise.allSettled([a.each(LOCK, { id: 'a' }), b.each(LOCK, { id: 'b' })]);
    await nextTurn();
    const error = new Error('no');
    sent[0]!.fail(error);
    expect(await failing).toEqual(Array.from({ length: 2 }, () => ({ status: 'rejected', reason: error })));
    const unsent = a.each(INSERT, { id: 'a' });
    turns.abandon();
    await expect(unsent).rejects.toThrow(UnsentStatementError);
    await nextTurn();
    expect(sent).toHaveLength(1);
  });
});
