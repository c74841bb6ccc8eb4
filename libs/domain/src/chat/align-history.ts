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

/** Of sent messages and of stored ones: their product is what the comparison costs. */
export const MAX_ALIGNED_TURNS = 2_000;

/**
 * Finds what a client sends again in the order in which it is stored, so that only what comes after it is stored
 * (docs/chat.md#what-is-stored): the longest common subsequence. Clients leave out the oldest messages, drop answers that
 * they asked for twice, and change answers (white space, a stopped one): an answer in the place of a stored one is the
 * same turn. Takes at most `MAX_ALIGNED_TURNS` of each.
 */
export function alignHistory(
  sent: readonly SentTurn[],
  stored: readonly StoredTurn[],
  { repeatsAnew }: AlignOptions,
): AlignedHistory {
  const places = matchAnswers(sent, stored, matchWords(sent, stored));
  const last = places.findLastIndex((place) => place !== null);
  if (last === -1) return { newFrom: 0, matched: [] };
  const isAlone = sent.length === 1 && sent[0]!.role === 'user';
  if (isAlone && repeatsAnew && isAnswered(stored, places[0]! + 1)) return { newFrom: 0, matched: [] };
  const matched = places.flatMap((place) => (place === null ? [] : [stored[place]!.id]));
  return { newFrom: last + 1, matched };
}

/** The place of each sent message in the stored ones, by its words; null for none. */
type Places = readonly (number | null)[];

/** Of equal matches, the earliest sent message and the latest stored one: what is said again comes later. */
function matchWords(sent: readonly SentTurn[], stored: readonly StoredTurn[]): Places {
  const known = numberTurns(stored);
  const own = sent.map(
    ({ role, keys }) => keys.map((key) => known.get(`${role} ${key}`)).find((id) => id !== undefined) ?? -1,
  );
  const theirs = stored.map(({ role, key }) => (key === null ? -2 : known.get(`${role} ${key}`)!));
  const lengths = measureCommon(own, theirs);
  const width = stored.length + 1;
  const places: (number | null)[] = sent.map(() => null);
  let [i, j] = [sent.length, stored.length];
  while (i > 0 && j > 0) {
    const length = lengths[i * width + j]!;
    if (lengths[(i - 1) * width + j] === length) i -= 1;
    else if (own[i - 1] === theirs[j - 1]) places[(i -= 1)] = j -= 1;
    else j -= 1;
  }
  return places;
}

function numberTurns(stored: readonly StoredTurn[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { role, key } of stored) {
    const name = `${role} ${key}`;
    if (key !== null && !numbers.has(name)) numbers.set(name, numbers.size);
  }
  return numbers;
}

/** At `i * (theirs.length + 1) + j`: how much the first `i` and the first `j` have in common. */
function measureCommon(own: readonly number[], theirs: readonly number[]): Uint16Array {
  const width = theirs.length + 1;
  const lengths = new Uint16Array((own.length + 1) * width);
  for (let i = 1; i <= own.length; i += 1) {
    const row = i * width;
    for (let j = 1; j < width; j += 1) {
      const above = lengths[row - width + j]!;
      const left = lengths[row + j - 1]!;
      lengths[row + j] = own[i - 1] === theirs[j - 1] ? lengths[row - width + j - 1]! + 1 : above > left ? above : left;
    }
  }
  return lengths;
}

/** With the answers of other words that stand where one is stored. */
function matchAnswers(sent: readonly SentTurn[], stored: readonly StoredTurn[], byWords: Places): Places {
  let after: number | null = null;
  return byWords.map((place, index) => {
    if (place !== null) {
      after = place + 1;
      return place;
    }
    if (sent[index]!.role === 'user' || after === null || stored[after]?.role !== 'assistant') {
      if (sent[index]!.role === 'user') after = null;
      return null;
    }
    let end = after;
    while (stored[end + 1]?.role === 'assistant') end += 1;
    after = end + 1;
    return end;
  });
}

/** Whether the client got an answer to the message before `end`. */
function isAnswered(stored: readonly StoredTurn[], end: number): boolean {
  for (let at = end; stored[at]?.role === 'assistant'; at += 1) {
    if (!stored[at]!.isCut) return true;
  }
  return false;
}
