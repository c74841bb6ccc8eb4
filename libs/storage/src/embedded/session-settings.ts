import { encodeQuery, quoteIdentifier, quoteLiteral } from './wire-messages.js';

/** Nothing to carry on: a transaction's setting, a reset role, or (empty) a reset custom setting or session user. */
function isUnset(name: string, value: string): boolean {
  if (name.startsWith('transaction_')) return true;
  if (name === 'role') return value === 'none';
  return value === '' && (name.includes('.') || name === 'session_authorization');
}

/** Dotted names in any text or parameter: candidates for settings of the application, such as `annals.tenant`. */
const DOTTED_NAME = /[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z_][A-Za-z0-9_$]*)+/g;
const MAX_CUSTOM_NAMES = 64;

/** Restores the backend's initial state, whichever client changed it and how. */
const RESET = 'RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL';

/**
 * The settings of one client session: those it has set override those of its start-up message. The backend is shared,
 * so they are applied whenever the session takes over from another ({@link takeOverQuery}), and read back ({@link
 * readBackQuery}) after a statement that may have changed them.
 */
export class SessionSettings {
  private changed = new Map<string, string>();
  private readonly customNames = new Set<string>();
  private cachedTakeOver: Buffer | undefined;

  constructor(private readonly startup: ReadonlyMap<string, string> = new Map()) {
    for (const name of startup.keys()) if (name.includes('.')) this.customNames.add(name);
  }

  takeOverQuery(): Buffer {
    this.cachedTakeOver ??= encodeQuery(this.takeOverSql());
    return this.cachedTakeOver;
  }

  /** PostgreSQL does not list settings of an application, so their names are collected from what was sent. */
  noteCustomNames(bytes: Buffer): void {
    for (const [name] of bytes.toString('latin1').matchAll(DOTTED_NAME)) {
      if (this.customNames.size >= MAX_CUSTOM_NAMES) return;
      this.customNames.add(name.toLowerCase());
    }
  }

  readBackQuery(): Buffer {
    const named = ['role', 'session_authorization', ...this.customNames].map(quoteLiteral).join(', ');
    return encodeQuery(
      `SELECT name, setting FROM pg_catalog.pg_settings WHERE source = 'session' UNION ALL ` +
        `SELECT name, pg_catalog.current_setting(name, true) FROM pg_catalog.unnest(ARRAY[${named}]::pg_catalog.text[]) AS name`,
    );
  }

  /** Applies the result of {@link readBackQuery}. A reset setting falls back to that of the start-up message. */
  readBack(rows: readonly (readonly (string | null)[])[]): void {
    this.changed = new Map();
    this.cachedTakeOver = undefined;
    for (const [name, value] of rows) {
      if (!name || value === null || value === undefined || isUnset(name, value)) continue;
      this.changed.set(name.toLowerCase(), value);
    }
  }

  private takeOverSql(): string {
    const settings = new Map([...this.startup, ...this.changed]);
    const user = settings.get('session_authorization');
    const role = settings.get('role');
    settings.delete('session_authorization');
    settings.delete('role');
    const calls = [...settings].map(
      ([name, value]) => `pg_catalog.set_config(${quoteLiteral(name)}, ${quoteLiteral(value)}, false)`,
    );
    const parts = [RESET];
    if (calls.length > 0) parts.push(`SELECT ${calls.join(', ')}`);
    if (user !== undefined) parts.push(`SET SESSION AUTHORIZATION ${quoteLiteral(user)}`);
    if (role !== undefined) parts.push(role === 'none' ? 'SET ROLE NONE' : `SET ROLE ${quoteIdentifier(role)}`);
    return parts.join('; ');
  }
}
