/** A change of a client's subscriptions to NOTIFY: a channel to add or to remove; `undefined` removes all. */
export interface ListenChange {
  readonly action: 'listen' | 'unlisten';
  readonly channel: string | undefined;
}

/** Effects of a SQL text on the session beyond its transaction, which the sessions of one backend must not share. */
export interface SqlEffects {
  /** An error message when the text cannot work on the embedded database. */
  readonly refusal: string | undefined;
  /** The text may change settings of the session: they are read back when the session is idle. */
  readonly changesSettings: boolean;
  readonly listens: readonly ListenChange[];
}

const NO_EFFECTS: SqlEffects = { refusal: undefined, changesSettings: false, listens: [] };
const MAY_HAVE_EFFECTS =
  /\b(?:set|reset|discard|set_config|listen|unlisten|stdin|prepare|deallocate|temp|temporary|hold|do)\b/i;
const CACHED_TEXT_LENGTH = 4_096;
const CACHED_TEXTS = 1_000;
const cache = new Map<string, SqlEffects>();

export function findSqlEffects(sql: string): SqlEffects {
  if (!MAY_HAVE_EFFECTS.test(sql)) return NO_EFFECTS;
  const known = cache.get(sql);
  if (known !== undefined) return known;
  const statements = splitSql(sql);
  const effects: SqlEffects = {
    refusal: statements.map(findRefusal).find((refusal) => refusal !== undefined),
    changesSettings: statements.some(changesSettings),
    listens: statements.map(findListen).filter((change) => change !== undefined),
  };
  if (sql.length <= CACHED_TEXT_LENGTH) {
    if (cache.size >= CACHED_TEXTS) cache.clear();
    cache.set(sql, effects);
  }
  return effects;
}

function findRefusal(statement: readonly SqlToken[]): string | undefined {
  const is = (index: number, ...words: string[]): boolean => isWord(statement[index], ...words);
  if (is(0, 'copy') && hasWords(statement, 'from', 'stdin'))
    return 'COPY FROM STDIN would block the embedded database for good: use INSERT with several rows.';
  if (is(0, 'prepare') && !is(1, 'transaction'))
    return 'PREPARE as a command is shared by all connections of the embedded database: use prepared statements of the driver.';
  if (is(0, 'deallocate'))
    return 'DEALLOCATE is shared by all connections of the embedded database: close prepared statements through the driver.';
  if (is(0, 'discard') && is(1, 'all'))
    return 'DISCARD ALL affects all connections of the embedded database: use RESET ALL, RESET ROLE and UNLISTEN *.';
  if (is(0, 'declare') && hasWords(statement, 'with', 'hold'))
    return 'A cursor WITH HOLD is shared by all connections of the embedded database: read it inside its transaction.';
  if (createsSessionTable(statement))
    return 'A temporary table is shared by all connections of the embedded database: create it with ON COMMIT DROP.';
  return undefined;
}

function createsSessionTable(statement: readonly SqlToken[]): boolean {
  const at = statement.findIndex((token) => isWord(token, 'temp', 'temporary'));
  if (at < 1) return false;
  const before = statement[at - 1];
  const creates = isWord(statement[0], 'create') && at <= 4 && isWord(before, 'create', 'local', 'global', 'replace');
  if (!creates && !isWord(before, 'into')) return false;
  return !hasWords(statement, 'on', 'commit', 'drop');
}

function changesSettings(statement: readonly SqlToken[]): boolean {
  const [first, second] = statement;
  if (isWord(first, 'set')) return !isWord(second, 'local', 'transaction', 'constraints');
  if (isWord(first, 'reset')) return true;
  if (isWord(first, 'do'))
    return statement.some((token) => token.kind === 'string' && /\bset\b|set_config/i.test(token.text));
  return statement.some((token, index) => namesSetConfig(token) && !isTransactionScopedCall(statement, index + 1));
}

const namesSetConfig = (token: SqlToken): boolean =>
  (token.kind === 'word' || token.kind === 'identifier') && token.text === 'set_config';

/** True when the call that opens at `open` ends in a literal `true`: set_config(name, value, is_local). */
function isTransactionScopedCall(statement: readonly SqlToken[], open: number): boolean {
  let depth = 0;
  for (let i = open; i < statement.length; i++) {
    const { kind, text } = statement[i]!;
    if (kind !== 'symbol') continue;
    if (text === '(' || text === '[') depth += 1;
    else if (text === ')' || text === ']') depth -= 1;
    if (depth === 0) return isWord(statement[i - 1], 'true') && statement[i - 2]?.text === ',';
  }
  return false;
}

function findListen(statement: readonly SqlToken[]): ListenChange | undefined {
  const [first, target] = statement;
  if (target === undefined || !isWord(first, 'listen', 'unlisten')) return undefined;
  const action = first!.text === 'listen' ? 'listen' : 'unlisten';
  return { action, channel: target.kind === 'symbol' ? undefined : target.text };
}

function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}

function hasWords(statement: readonly SqlToken[], ...words: readonly string[]): boolean {
  return statement.some((_, start) => words.every((word, offset) => isWord(statement[start + offset], word)));
}

/** A token of SQL text. Words are in lower case; strings and quoted identifiers are without their quotes. */
interface SqlToken {
  readonly kind: 'word' | 'identifier' | 'string' | 'symbol';
  readonly text: string;
}

const TOKEN = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*)`,
    String.raw`(?<comment>\/\*)`,
    String.raw`(?<escaped>[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$))`,
    String.raw`(?<string>(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*(?:'|$))`,
    String.raw`(?<identifier>(?:[uU]&)?"(?:[^"]|"")*(?:"|$))`,
    String.raw`(?<dollar>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<symbol>[\s\S])`,
  ].join('|'),
  'y',
);

/** The statements of a text, each as its tokens, without comments. Source: PostgreSQL documentation, "Lexical Structure". */
function splitSql(sql: string): SqlToken[][] {
  const statements: SqlToken[][] = [];
  let current: SqlToken[] = [];
  let at = 0;
  while (at < sql.length) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(sql)!.groups!;
    at = TOKEN.lastIndex;
    if (groups['space'] !== undefined) continue;
    if (groups['comment'] !== undefined) at = endOfComment(sql, at);
    else if (groups['dollar'] !== undefined) {
      const close = sql.indexOf(groups['dollar'], at);
      const end = close < 0 ? sql.length : close;
      current.push({ kind: 'string', text: sql.slice(at, end) });
      at = Math.min(sql.length, end + groups['dollar'].length);
    } else if (groups['symbol'] === ';') {
      if (current.length > 0) statements.push(current);
      current = [];
    } else current.push(toToken(groups));
  }
  if (current.length > 0) statements.push(current);
  return statements;
}

function toToken(groups: Record<string, string | undefined>): SqlToken {
  if (groups['word'] !== undefined) return { kind: 'word', text: groups['word'].toLowerCase() };
  const identifier = groups['identifier'];
  if (identifier !== undefined) return { kind: 'identifier', text: unquote(identifier, '"') };
  const string = groups['string'] ?? groups['escaped'];
  if (string !== undefined) return { kind: 'string', text: unquote(string, "'") };
  return { kind: 'symbol', text: groups['symbol']! };
}

function unquote(text: string, quote: string): string {
  const inner = text.slice(text.indexOf(quote) + 1);
  return (inner.endsWith(quote) ? inner.slice(0, -1) : inner).replaceAll(quote + quote, quote);
}

/** Comments nest in PostgreSQL. */
function endOfComment(sql: string, from: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  let depth = 1;
  for (let match = edge.exec(sql); match !== null; match = edge.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return sql.length;
}
