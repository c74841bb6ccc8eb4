import { findBrokenPromises, type SchemaContract } from './schema-contract.js';

const text = { type: 'text', notNull: true, optional: false };
const CHECK = { definition: `CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text])))`, columns: ['kind'] };
const BEFORE: SchemaContract = {
  tables: {
    work: {
      columns: { id: text, kind: text, note: { ...text, notNull: false, optional: true } },
      constraints: { work_kind_check: CHECK },
      unique: ['USING btree (id)'],
      privileges: ['INSERT', 'UPDATE(kind)'],
    },
  },
  functions: { 'lease(integer)': 'SETOF uuid' },
};
const WORK = BEFORE.tables['work']!;
const withTable = (change: Partial<typeof WORK>): SchemaContract => ({
  ...BEFORE,
  tables: { work: { ...WORK, ...change } },
});
const withColumn = (name: string, column: typeof text) => withTable({ columns: { ...WORK.columns, [name]: column } });

describe('findBrokenPromises', () => {
  it.each<[string, SchemaContract]>([
    ['nothing', BEFORE],
    [
      'a table and a function',
      {
        tables: { ...BEFORE.tables, other: WORK },
        functions: { ...BEFORE.functions, 'lease(text)': 'integer' },
      },
    ],
    ['a column that may be left out', withColumn('extra', { ...text, optional: true })],
    [
      'a word in a list',
      withTable({
        constraints: {
          work_kind_check: { ...CHECK, definition: `CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text, 'c'::text])))` },
        },
      }),
    ],
    ['a privilege on all columns in place of one', withTable({ privileges: ['INSERT', 'UPDATE'] })],
  ])('allows a migration that adds %s', (_, after) => {
    expect(findBrokenPromises(BEFORE, after)).toEqual([]);
  });

  it.each<[string, SchemaContract]>([
    ['table work is gone', { ...BEFORE, tables: {} }],
    ['function lease(integer) is gone', { ...BEFORE, functions: {} }],
    [
      'function lease(integer) returns SETOF text instead of SETOF uuid',
      { ...BEFORE, functions: { 'lease(integer)': 'SETOF text' } },
    ],
    ['column work.note is gone', withTable({ columns: { id: text, kind: text } })],
    ['column work.id is uuid instead of text', withColumn('id', { ...text, type: 'uuid' })],
    ['column work.note must not be null any more', withColumn('note', { ...text, optional: true })],
    ['column work.note has no default any more', withColumn('note', { ...text, notNull: false })],
    ['column work.extra is new, and rows cannot be inserted without it', withColumn('extra', text)],
    [
      `constraint work.work_kind_check is CHECK ((kind = ANY (ARRAY['a'::text]))) instead of ${CHECK.definition}`,
      withTable({
        constraints: { work_kind_check: { ...CHECK, definition: `CHECK ((kind = ANY (ARRAY['a'::text])))` } },
      }),
    ],
    [
      'constraint work.other is new, and rows of the release before may violate it',
      withTable({
        constraints: { work_kind_check: CHECK, other: { definition: 'CHECK (true)', columns: ['kind'] } },
      }),
    ],
    ['index of work USING btree (id) is gone', withTable({ unique: [] })],
    [
      'index of work USING btree (kind) is new, and rows of the release before may violate it',
      withTable({
        unique: ['USING btree (id)', 'USING btree (kind)'],
      }),
    ],
    ['privilege UPDATE(kind) on work is gone', withTable({ privileges: ['INSERT'] })],
  ])('names what a migration takes away: %s', (sentence, after) => {
    expect(findBrokenPromises(BEFORE, after)).toContain(sentence);
  });
});
