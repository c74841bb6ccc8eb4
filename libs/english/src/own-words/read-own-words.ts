import {
  END_OF_ROLE_PLAY,
  FICTION,
  FICTIONAL_SENTENCE,
  MAIL_HEADER,
  MAIL_ONLY_HEADER,
  REPORT_BEFORE_COLON,
  ROLE_PLAY,
  SOURCE_BEFORE_COLON,
  TASK_AFTER_TEXT,
  TASK_BEFORE_COLON,
  TASK_BEFORE_LINES,
} from './foreign-openings.js';

export interface OwnWords {
  /** What the speaker says in person: pieces of the message, unchanged and in order. */
  readonly parts: readonly string[];
  /** True when a role play goes on at the end of the message. */
  readonly inRolePlay: boolean;
}

/** How far words that are not the speaker's own reach. `lines`: from the next line to the end of the message. */
type Reach = 'nothing' | 'line' | 'lines' | 'paragraph' | 'message' | 'role_play';

/** A sentence up to its end of line, or line breaks. */
const PIECES = /[\n\r\u0085\u2028\u2029]+|[^.!?\n\r\u0085\u2028\u2029]+[.!?]*|[.!?]+/gu;
const LINE_BREAK = /^[\n\r\u0085\u2028\u2029]/u;
const CODE_BLOCK = /```[^]*?(?:```|$)/gu;
const OPENING_MARKS = /^[\s>*•–-]*(?:\d{1,2}[.)]\s+)?/u;
const QUOTE_MARK = /["“”„«»]/u;
/** Lines of a mail's head follow each other, but for some that are folded or that we do not know. */
const MAX_LINES_BETWEEN_HEADERS = 3;
/** In UTF-16 units: how much is read between two yields. */
const MAX_STEP_UNITS = 16_384;
/** In UTF-16 units: shorter and longer sentences open nothing. */
const MIN_OPENING = 5;
const MAX_OPENING = 400;

/**
 * What of a message its speaker says in person. Left out are texts that somebody gives to work on ("Summarise this:
 * …"), reports and sources ("Bob wrote: …", "> …", mail headers), code blocks, and what is played or made up ("Pretend
 * you are …", "In my story …"). English only; tuned so that words of others are not taken for the speaker's own.
 * `inRolePlay`: whether a role play of an earlier message goes on.
 */
export function readOwnWords(content: string, options: { readonly inRolePlay?: boolean } = {}): OwnWords {
  const work = readOwnWordsInSteps(content, options);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** `readOwnWords` of a text of any length: yields after each step of some 16,384 UTF-16 units. */
export function* readOwnWordsInSteps(
  content: string,
  { inRolePlay = false }: { readonly inRolePlay?: boolean } = {},
): Generator<void, OwnWords> {
  const reader = new MessageReader(inRolePlay ? 'role_play' : 'nothing');
  let offset = 0;
  for (const block of content.matchAll(CODE_BLOCK)) {
    yield* reader.read(content.slice(offset, block.index));
    reader.skipBlock(block[0]);
    offset = block.index + block[0].length;
  }
  yield* reader.read(content.slice(offset));
  return { parts: reader.finish(), inRolePlay: reader.inRolePlay };
}

class MessageReader {
  private parts: string[] = [];
  private part = '';
  private line = 0;
  private lastHeaderLine = 0;
  private headers = 0;
  private hasMailOnlyHeader = false;
  private unitsOfStep = 0;
  private atLineStart = true;
  private inQuote = false;

  constructor(private reach: Reach) {}

  get inRolePlay(): boolean {
    return this.reach === 'role_play';
  }

  *read(text: string): Generator<void, void> {
    for (const [piece] of text.matchAll(PIECES)) {
      this.unitsOfStep += piece.length;
      if (this.unitsOfStep > MAX_STEP_UNITS) {
        this.unitsOfStep = 0;
        yield;
      }
      if (LINE_BREAK.test(piece)) this.breakLine(piece);
      else this.readSentence(piece);
    }
  }

  skipBlock(block: string): void {
    this.unitsOfStep += block.length;
    this.cut();
  }

  private cut(): void {
    if (this.part.trim() !== '') this.parts.push(this.part);
    this.part = '';
  }

  finish(): readonly string[] {
    this.cut();
    return this.parts;
  }

  private breakLine(breaks: string): void {
    this.atLineStart = true;
    this.line += 1;
    if (this.reach === 'lines') this.reach = 'message';
    else if (this.reach === 'line') this.reach = 'nothing';
    else if (this.reach === 'paragraph' && breaks.replaceAll('\r\n', '\n').length > 1) this.reach = 'nothing';
    this.part += this.reach === 'nothing' ? breaks : '';
  }

  private readSentence(piece: string): void {
    const isQuotedLine = this.atLineStart && /^\s*>/u.test(piece);
    const isHeader = this.atLineStart && MAIL_HEADER.test(piece.trim());
    this.atLineStart = false;
    if (this.inQuote) return this.skipQuote(piece);
    if (this.reach === 'message' || this.reach === 'paragraph' || this.reach === 'line') return;
    if (this.reach === 'role_play') return this.readInRolePlay(piece);
    if (isQuotedLine) return this.skip('line');
    if (isHeader && this.isMail(piece.trim())) return this.skip('message');
    const sentence = piece.replace(OPENING_MARKS, '');
    if (sentence.length < MIN_OPENING || sentence.length > MAX_OPENING) return this.keep(piece);
    this.readOpening(piece, sentence);
  }

  private isMail(header: string): boolean {
    if (this.line - this.lastHeaderLine > MAX_LINES_BETWEEN_HEADERS) {
      this.headers = 0;
      this.hasMailOnlyHeader = false;
    }
    this.lastHeaderLine = this.line;
    this.headers += 1;
    this.hasMailOnlyHeader ||= MAIL_ONLY_HEADER.test(header);
    return this.headers > 1 && this.hasMailOnlyHeader;
  }

  private readOpening(piece: string, sentence: string): void {
    if (TASK_AFTER_TEXT.test(sentence)) {
      this.parts = [];
      this.part = '';
      return;
    }
    const colon = TASK_BEFORE_COLON.exec(sentence) ?? SOURCE_BEFORE_COLON.exec(sentence);
    if (colon) return this.skipAfterColon(sentence.slice(colon[0].length), 'message');
    const report = REPORT_BEFORE_COLON.exec(sentence);
    if (report) return this.skipAfterColon(sentence.slice(report[0].length), 'paragraph');
    if (ROLE_PLAY.test(sentence)) return this.skip('role_play');
    if (FICTION.test(sentence)) return this.skip('message');
    if (FICTIONAL_SENTENCE.test(sentence)) return this.skip('nothing');
    if (TASK_BEFORE_LINES.test(sentence)) return this.skip('lines');
    this.keep(piece);
  }

  /** A text in quotation marks ends with them. What begins on the next line goes to the end of the message. */
  private skipAfterColon(rest: string, reach: Reach): void {
    const text = rest.trim();
    if (!QUOTE_MARK.test(text.charAt(0))) return this.skip(text === '' ? 'message' : reach);
    this.skip('nothing');
    this.inQuote = !QUOTE_MARK.test(text.slice(1));
  }

  private skipQuote(piece: string): void {
    const end = piece.search(QUOTE_MARK);
    if (end < 0) return;
    this.inQuote = false;
    this.readSentence(piece.slice(end + 1));
  }

  private readInRolePlay(piece: string): void {
    if (END_OF_ROLE_PLAY.test(piece)) this.reach = 'nothing';
  }

  private skip(reach: Reach): void {
    this.cut();
    this.reach = reach;
  }

  private keep(piece: string): void {
    this.part += piece;
  }
}
