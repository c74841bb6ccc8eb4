/** A token of SQL text. Words are in lower case; strings and quoted identifiers are without their quotes. */
export interface SqlToken {
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
export function splitSql(sql: string): SqlToken[][] {
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
