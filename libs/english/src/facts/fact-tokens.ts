/** A word, number or mark of a text. */
export interface FactToken {
  /** As it is written, without a possessive ending. */
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly isMark: boolean;
  /** The first word of a sentence, of a line, or after a colon: its capital says nothing. */
  readonly opens: boolean;
  /** Joined to the token before it: "five" in "twenty-five", "km" in "5km". */
  readonly isJoined: boolean;
}

const CHUNK =
  /(?:[\p{L}\p{M}\p{N}]|(?<=\p{N})[.,:](?=\p{N})|(?<=\p{N})\/(?=\p{N})|(?<=\p{L})\/(?=\p{L})|(?<=[\p{L}\p{M}\p{N}])['’._@&-](?=[\p{L}\p{M}\p{N}]))+(?:\+\+|#)?|[^\p{L}\p{M}\p{N}\s]|\n/gu;
const WORD_START = /^[\p{L}\p{N}]/u;
const POSSESSIVE = /['’]s$/u;
const SENTENCE_END = /^[.!?…\n:;•"“«]$/u;

/** "2023-05-08", "05/08/2023": a date in figures stays whole. */
const FIGURE_DATE = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}))$/u;
const HYPHENATED_WORDS = /^\p{L}+(?:-\p{L}+)+$/u;
const CAPITAL_INSIDE = /-\p{Lu}/u;
/** "6-year-old", "30-day", "3-5", "7pm", "60k", "3rd". */
const AFTER_FIGURES = /^(?<figures>\d[\d.,:]*)(?<joint>-?)(?<rest>\p{L}+(?:-\p{L}+)*|\d+)$/u;
const GLUED_SUFFIX =
  /^(?:[ap]m|st|nd|rd|th|x|k|m|bn|mio|s|%|km|cm|mm|mi|kg|g|mg|l|ml|h|hr|hrs|min|mins|sec|gb|mb|tb|kb|eur|usd|gbp|kwh|ghz|hz)$/u;
/** "the end.Then": a full stop without a space behind it. */
const LOST_SPACE = /^(?<before>\p{L}?\p{Ll}{2,})\.(?<after>\p{Lu}\p{Ll}*)$/u;
/** In UTF-16 units; as long as index terms at most. Longer runs are no words, and stemming them takes quadratic time. */
const MAX_WORD_LENGTH = 64;

/** The words and marks of a text, in order; takes linear time. */
export function tokenizeFacts(text: string): FactToken[] {
  const tokens: FactToken[] = [];
  let opens = true;
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    if (!WORD_START.test(chunk)) {
      tokens.push(createToken(chunk, index, { isMark: true }));
      if (SENTENCE_END.test(chunk)) opens = !isAbbreviated(tokens, chunk);
      continue;
    }
    for (const [position, { part, offset, isJoined }] of splitChunk(chunk).entries()) {
      tokens.push(createToken(part, index + offset, { opens: opens && position === 0, isJoined }));
    }
    opens = false;
  }
  return tokens;
}

const ABBREVIATION =
  /^(?:mrs?|ms|mx|dr|prof|st|mt|vs|e\.g|i\.e|approx|no|dept|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|\p{L}|(?:\p{L}\.)+\p{L})$/u;

/** "Dr. Weiss", "J. Smith": the full stop ends no sentence. */
function isAbbreviated(tokens: readonly FactToken[], mark: string): boolean {
  return mark === '.' && ABBREVIATION.test(tokens.at(-2)?.lower ?? '');
}

interface ChunkPart {
  readonly part: string;
  readonly offset: number;
  readonly isJoined: boolean;
}

function splitChunk(chunk: string): ChunkPart[] {
  if (FIGURE_DATE.test(chunk)) return [{ part: chunk, offset: 0, isJoined: false }];
  if (HYPHENATED_WORDS.test(chunk) && !CAPITAL_INSIDE.test(chunk)) return splitAtHyphens(chunk, 0, false);
  const figures = AFTER_FIGURES.exec(chunk)?.groups as Record<'figures' | 'joint' | 'rest', string> | undefined;
  if (figures && (figures.joint === '-' || GLUED_SUFFIX.test(figures.rest.toLowerCase()))) {
    const offset = figures.figures.length + figures.joint.length;
    // The second end of a range is a number of its own.
    return [{ part: figures.figures, offset: 0, isJoined: false }, ...splitAtHyphens(figures.rest, offset, true)];
  }
  const lost = LOST_SPACE.exec(chunk)?.groups as Record<'before' | 'after', string> | undefined;
  if (lost) {
    return [
      { part: lost.before, offset: 0, isJoined: false },
      { part: lost.after, offset: lost.before.length + 1, isJoined: false },
    ];
  }
  return [{ part: chunk, offset: 0, isJoined: false }];
}

function splitAtHyphens(words: string, start: number, isJoined: boolean): ChunkPart[] {
  let offset = start;
  return words.split('-').map((part, index) => {
    const at = offset;
    offset += part.length + 1;
    return { part, offset: at, isJoined: isJoined || index > 0 };
  });
}

function createToken(
  raw: string,
  start: number,
  { isMark = false, opens = false, isJoined = false }: Partial<Pick<FactToken, 'isMark' | 'opens' | 'isJoined'>>,
): FactToken {
  const text = raw.replace(POSSESSIVE, '').slice(0, MAX_WORD_LENGTH);
  return {
    text,
    lower: text.toLowerCase().replaceAll('’', "'"),
    start,
    end: start + raw.length,
    isMark,
    opens,
    isJoined,
  };
}
