/**
 * The few messages of the PostgreSQL wire protocol (version 3) that the hub writes itself.
 * Source of all formats: PostgreSQL documentation, "Frontend/Backend Protocol, Message Formats".
 */

/** Transaction state in ReadyForQuery: idle, in a transaction, in a failed transaction. */
export type TransactionState = 'I' | 'T' | 'E';

/** One typed message: type byte, length (which counts itself), body. */
export function encodeMessage(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const message = Buffer.allocUnsafe(5 + body.length);
  message.write(type, 0, 'latin1');
  message.writeInt32BE(4 + body.length, 1);
  body.copy(message, 5);
  return message;
}

/** Zero-terminated strings, one after another. */
export function encodeStrings(...values: readonly string[]): Buffer {
  return Buffer.from(values.map((value) => `${value}\0`).join(''));
}

export const encodeQuery = (sql: string): Buffer => encodeMessage('Q', encodeStrings(sql));
export const SYNC = encodeMessage('S');
export const ROLLBACK = encodeQuery('ROLLBACK');

export const encodeReadyForQuery = (state: TransactionState): Buffer => encodeMessage('Z', Buffer.from(state));

export const encodeParse = (name: string, sql: string): Buffer =>
  encodeMessage('P', encodeStrings(name, sql), Buffer.alloc(2));

export const encodeCloseStatement = (name: string): Buffer => encodeMessage('C', Buffer.from('S'), encodeStrings(name));

/** Parse, Bind and Execute of a statement without parameters and results. */
export function encodeExtendedCommand(sql: string): Buffer {
  const bind = encodeMessage('B', encodeStrings('', ''), Buffer.alloc(6));
  const execute = encodeMessage('E', encodeStrings(''), Buffer.alloc(4));
  return Buffer.concat([encodeParse('', sql), bind, execute]);
}

export interface SqlErrorResponse {
  readonly severity: 'ERROR' | 'FATAL';
  /** SQLSTATE, five characters. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export function encodeErrorResponse(problem: SqlErrorResponse): Buffer {
  const fields = [`S${problem.severity}`, `V${problem.severity}`, `C${problem.code}`, `M${problem.message}`];
  if (problem.hint !== undefined) fields.push(`H${problem.hint}`);
  return encodeMessage('E', encodeStrings(...fields), Buffer.alloc(1));
}

/** What `pg_backend_pid()` returns: WebAssembly has no process, and Emscripten answers with this. */
const BACKEND_PID = 42;

/** A server's response to the start-up message: authentication ok, its settings, its backend key, ready. */
export function encodeStartupResponse(serverVersion: string): Buffer {
  const settings: Record<string, string> = {
    server_version: serverVersion,
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    IntervalStyle: 'postgres',
    TimeZone: 'UTC',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  };
  const key = Buffer.alloc(8);
  key.writeInt32BE(BACKEND_PID, 0);
  return Buffer.concat([
    encodeMessage('R', Buffer.alloc(4)),
    ...Object.entries(settings).map(([name, value]) => encodeMessage('S', encodeStrings(name, value))),
    encodeMessage('K', key),
    encodeReadyForQuery('I'),
  ]);
}

export const quoteLiteral = (value: string): string =>
  value.includes('\\')
    ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${value.replaceAll("'", "''")}'`;
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
