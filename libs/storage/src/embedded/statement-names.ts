import { findSqlEffects, type SqlEffects } from './sql-effects.js';
import { encodeCloseStatement, encodeMessage, encodeStrings } from './wire-messages.js';

interface Statement {
  readonly serverName: string;
  effects: SqlEffects;
}

/**
 * Prepared statements belong to the backend, which all clients share, so each client's names are replaced by unique
 * names. The space in them avoids conflicts with names that a client would choose.
 */
export class StatementNames {
  private readonly statements = new Map<string, Statement>();
  private created = 0;

  constructor(private readonly streamId: number) {}

  /** Parse of a named statement. Body: name, SQL, parameter types. */
  renameParse(name: string, message: Buffer, sql: string): Buffer {
    const statement = this.statements.get(name) ?? this.create(name);
    statement.effects = findSqlEffects(sql);
    return encodeMessage('P', encodeStrings(statement.serverName), message.subarray(message.indexOf(0, 5) + 1));
  }

  /** Bind: portal, statement, values. Also returns the effects of running the statement. */
  renameBind(name: string, message: Buffer): { message: Buffer; effects: SqlEffects | undefined } {
    const statement = this.statements.get(name);
    if (statement === undefined) return { message, effects: undefined };
    const portalEnd = message.indexOf(0, 5) + 1;
    const rest = message.subarray(message.indexOf(0, portalEnd) + 1);
    const portal = message.subarray(5, portalEnd);
    return {
      message: encodeMessage('B', portal, encodeStrings(statement.serverName), rest),
      effects: statement.effects,
    };
  }

  /** Describe or Close of a statement: the letter S, name. */
  renameDescribeOrClose(name: string, message: Buffer): Buffer {
    const statement = this.statements.get(name);
    if (statement === undefined) return message;
    const type = String.fromCharCode(message[0]!);
    if (type === 'C') this.statements.delete(name);
    return encodeMessage(type, Buffer.from('S'), encodeStrings(statement.serverName));
  }

  /** Close messages for all statements still open, for the end of the client. */
  closeAll(): Buffer {
    const closes = [...this.statements.values()].map(({ serverName }) => encodeCloseStatement(serverName));
    this.statements.clear();
    return Buffer.concat(closes);
  }

  private create(name: string): Statement {
    this.created += 1;
    const statement = { serverName: `client ${this.streamId} statement ${this.created}`, effects: findSqlEffects('') };
    this.statements.set(name, statement);
    return statement;
  }
}
