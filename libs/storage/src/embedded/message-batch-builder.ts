import { findSqlEffects, type ListenChange, type SqlEffects } from './sql-effects.js';
import { StatementNames } from './statement-names.js';
import { encodeExtendedCommand, encodeQuery, quoteLiteral } from './wire-messages.js';

/** Messages of one client that run together: up to a Query, Sync, Flush or function call. */
export interface MessageBatch {
  readonly bytes: Buffer;
  /** A Flush requests the responses so far and leaves the exchange open; all others end in ReadyForQuery. */
  readonly endsInFlush: boolean;
  readonly changesSettings: boolean;
  readonly listens: readonly ListenChange[];
  /** The batch begins with a Parse that the client did not send. */
  readonly repeatsParse: boolean;
}

const BATCH_ENDS = new Set(['Q', 'S', 'H', 'F']);
/** Data of a COPY that was rejected, and unrequested passwords. A server skips the first three as well. */
const SKIPPED = new Set(['d', 'c', 'f', 'p']);

/** Collects the messages of one client into batches, with names made private and unsupported commands replaced. */
export class MessageBatchBuilder {
  readonly names: StatementNames;
  private parts: Buffer[] = [];
  private changesSettings = false;
  private listens: ListenChange[] = [];
  private repeatsParse = false;
  private unnamedParse: Buffer | undefined;
  private unnamedParseIsHere = false;

  constructor(streamId: number) {
    this.names = new StatementNames(streamId);
  }

  /** The complete batch, when `message` ends one. */
  add(message: Buffer): MessageBatch | undefined {
    const type = String.fromCharCode(message[0]!);
    if (SKIPPED.has(type)) return undefined;
    this.parts.push(this.translate(type, message));
    return BATCH_ENDS.has(type) ? this.finish(type) : undefined;
  }

  private translate(type: string, message: Buffer): Buffer {
    if (type === 'Q') return this.translateQuery(message);
    if (type === 'P') return this.translateParse(message);
    if (type === 'B') return this.translateBind(message);
    if ((type === 'D' || type === 'C') && message[5] === 0x53) return this.translateDescribeOrClose(type, message);
    return message;
  }

  private translateQuery(message: Buffer): Buffer {
    const effects = findSqlEffects(readString(message, 5));
    if (effects.refusal !== undefined) return encodeQuery(raiseErrorSql(effects.refusal));
    this.recordEffects(effects);
    return message;
  }

  private translateParse(message: Buffer): Buffer {
    const name = readString(message, 5);
    const sql = readString(message, message.indexOf(0, 5) + 1);
    const effects = findSqlEffects(sql);
    if (effects.refusal !== undefined) return encodeExtendedCommand(raiseErrorSql(effects.refusal));
    this.recordEffects(effects);
    if (name !== '') return this.names.renameParse(name, message, sql);
    this.unnamedParse = message;
    this.unnamedParseIsHere = true;
    return message;
  }

  private translateBind(message: Buffer): Buffer {
    const name = readString(message, message.indexOf(0, 5) + 1);
    if (name === '') {
      this.repeatUnnamedParse();
      return message;
    }
    const renamed = this.names.renameBind(name, message);
    if (renamed.effects !== undefined) this.recordEffects(renamed.effects);
    return renamed.message;
  }

  private translateDescribeOrClose(type: string, message: Buffer): Buffer {
    const name = readString(message, 6);
    if (name !== '') return this.names.renameDescribeOrClose(name, message);
    if (type === 'D') this.repeatUnnamedParse();
    return message;
  }

  /** Another client may have replaced the unnamed statement since an earlier batch, so it is parsed again. */
  private repeatUnnamedParse(): void {
    if (this.unnamedParseIsHere || this.unnamedParse === undefined) return;
    this.recordEffects(findSqlEffects(readString(this.unnamedParse, this.unnamedParse.indexOf(0, 5) + 1)));
    this.parts.unshift(this.unnamedParse);
    this.repeatsParse = true;
    this.unnamedParseIsHere = true;
  }

  private recordEffects(effects: SqlEffects): void {
    if (effects.changesSettings) this.changesSettings = true;
    this.listens.push(...effects.listens);
  }

  private finish(type: string): MessageBatch {
    const { parts, changesSettings, listens, repeatsParse } = this;
    this.parts = [];
    this.changesSettings = false;
    this.listens = [];
    this.repeatsParse = false;
    this.unnamedParseIsHere = false;
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    return { bytes, endsInFlush: type === 'H', changesSettings, listens, repeatsParse };
  }
}

/** PostgreSQL itself raises it, so the transaction fails, too. 0A000: feature not supported. */
function raiseErrorSql(sentence: string): string {
  return `DO $annals$ BEGIN RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = ${quoteLiteral(sentence)}; END $annals$`;
}

const readString = (message: Buffer, start: number): string =>
  message.toString('utf8', start, message.indexOf(0, start));
