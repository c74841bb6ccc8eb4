/** In UTF-16 units: the longest run without a blank, or of blanks, that is encoded in one piece. */
const MAX_RUN_LENGTH = 64;

// Each run is matched from its first character on, so that a text of long runs takes linear time.
const LONG_RUN = new RegExp(String.raw`(?<!\S)\S{${MAX_RUN_LENGTH + 1},}|(?<!\s)\s{${MAX_RUN_LENGTH + 1},}`, 'gu');
/** The encoder takes signs with the slashes and line breaks behind them as one word. */
const LONG_BREAK = new RegExp(String.raw`(?<![\r\n/])[\r\n/]{${MAX_RUN_LENGTH + 1},}`, 'gu');

/** The text in order, cut so that no word of the o200k encoder is longer than `MAX_RUN_LENGTH`. */
export function cutLongRuns(text: string): string[] {
  if (text.length <= MAX_RUN_LENGTH) return [text];
  return cutRuns(text, LONG_RUN).flatMap((piece) => cutRuns(piece, LONG_BREAK));
}

function cutRuns(text: string, runs: RegExp): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    for (let cut = index + MAX_RUN_LENGTH; cut < index + run.length; cut = start + MAX_RUN_LENGTH) {
      const end = isInsidePair(text, cut) ? cut - 1 : cut;
      pieces.push(text.slice(start, end));
      start = end;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}

function isInsidePair(text: string, position: number): boolean {
  return (text.codePointAt(position - 1) ?? 0) > 0xffff;
}
