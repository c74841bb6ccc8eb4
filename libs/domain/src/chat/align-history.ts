/** A message of a chat as a client sends it again with every request. */
export interface SentTurn {
  readonly role: 'user' | 'assistant';
  /** What identifies its words: under the present key first, then under former ones. */
  readonly keys: readonly string[];
}

/** A message of the same thread that is stored already. */
export interface StoredTurn {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly key: string | null;
  /** Whether its client did not get it to its end, and so may ask again. */
  readonly isCut?: boolean;
}

export interface AlignedHistory {
  /** Index of the first sent message that is not stored yet; all from there on are new. */
  readonly newFrom: number;
  /** Ids of the stored messages that were sent again. */
  readonly matched: readonly string[];
}

interface AlignOptions {
  /**
   * Whether a request with nothing but a user's message that was answered before says it anew: a client that sends only
   * the latest message. False for one that resends its history, and for a request that is known to be a retry.
   */
  readonly repeatsAnew: boolean;
}

/** Each is tried, and a message such as "yes" can stand in a thread often. */
const MAX_STARTS = 50;

/**
 * Finds what a client sends again in the order in which it is stored, so that only what comes after it is stored
 * (docs/chat.md#what-is-stored). Clients leave out the oldest messages, drop answers that they asked for twice, and
 * change answers (white space, a stopped one): an answer in the place of a stored one is the same turn.
 */
export function alignHistory(
  sent: readonly SentTurn[],
  stored: readonly StoredTurn[],
  { repeatsAnew }: AlignOptions,
): AlignedHistory {
  const best = findBest(sent, stored);
  if (best === null) return { newFrom: 0, matched: [] };
  const [only] = sent;
  if (sent.length === 1 && only!.role === 'user' && repeatsAnew && isAnswered(stored, best.end))
    return { newFrom: 0, matched: [] };
  return { newFrom: best.last + 1, matched: best.matched };
}

interface Walk {
  /** Messages that were found by their words. */
  readonly exact: number;
  /** Index of the last sent message that is stored. */
  readonly last: number;
  /** Index after the last stored message that was sent. */
  readonly end: number;
  readonly matched: readonly string[];
}

/** The start from which most is found, the latest of equal ones: clients keep the end of a conversation. */
function findBest(sent: readonly SentTurn[], stored: readonly StoredTurn[]): Walk | null {
  for (const [index, turn] of sent.entries()) {
    const starts = stored.flatMap((each, at) => (isSame(turn, each) ? [at] : []));
    if (starts.length === 0) continue;
    const tried = starts.length > MAX_STARTS ? [starts[0]!, ...starts.slice(1 - MAX_STARTS)] : starts;
    const walks = tried.map((start) => walk(sent, stored, index, start));
    return walks.reduce((best, next) => (next.exact >= best.exact ? next : best));
  }
  return null;
}

function walk(sent: readonly SentTurn[], stored: readonly StoredTurn[], first: number, start: number): Walk {
  const matched: string[] = [];
  let exact = 0;
  let last = first;
  let end = start;
  for (let index = first; index < sent.length; index += 1) {
    const turn = sent[index]!;
    const found = turn.role === 'user' ? findUser(turn, stored, end) : findAnswer(turn, stored, end);
    if (found === null) continue;
    if (found.isExact) exact += 1;
    matched.push(stored[found.at]!.id);
    last = index;
    end = found.next;
  }
  return { exact, last, end, matched };
}

interface Found {
  readonly at: number;
  /** Index from which the next message is looked for. */
  readonly next: number;
  readonly isExact: boolean;
}

function findUser(turn: SentTurn, stored: readonly StoredTurn[], from: number): Found | null {
  for (let at = from; at < stored.length; at += 1) {
    if (isSame(turn, stored[at]!)) return { at, next: at + 1, isExact: true };
  }
  return null;
}

/** Among the answers to the message before it: by its words, else the one in its place. */
function findAnswer(turn: SentTurn, stored: readonly StoredTurn[], from: number): Found | null {
  let end = from;
  while (end < stored.length && stored[end]!.role === 'assistant') {
    if (isSame(turn, stored[end]!)) return { at: end, next: end + 1, isExact: true };
    end += 1;
  }
  return end === from ? null : { at: end - 1, next: end, isExact: false };
}

/** Whether the client got an answer to the message before `end`. */
function isAnswered(stored: readonly StoredTurn[], end: number): boolean {
  for (let at = end; stored[at]?.role === 'assistant'; at += 1) {
    if (!stored[at]!.isCut) return true;
  }
  return false;
}

function isSame({ role, keys }: SentTurn, stored: StoredTurn): boolean {
  return role === stored.role && stored.key !== null && keys.includes(stored.key);
}
