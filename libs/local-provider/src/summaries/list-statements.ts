import { createOwnWordsReader, renderDay, annotateDates, splitSentences } from '@annals/english';
import {
  type ConversationMessage,
  identifySpeakers,
  type KnownUser,
  nameSummarySpeakers,
  type Sliced,
  type SummaryKind,
} from '@annals/llm-core';
import { MAX_MESSAGE_LENGTH, MemoryCollector } from '../extract-memories.js';
import { isForeignText, isQuestion, opensAsQuestion } from '../sentences/skip-sentence.js';
import { isSmallTalk, MAX_TRIMMED_LENGTH, trimQuotation } from './small-talk.js';
import { listTopicStems, rateWords, type Statement } from './statement.js';

/** In UTF-16 units. What is longer is a list or a log, or too much for one place in a summary. */
const MAX_QUOTATION = 240;
const MAX_DOCUMENT_SENTENCE = 400;
const MIN_QUOTATION = 15;
/** A message of a document may be the document. */
const MAX_SENTENCES_PER_MESSAGE = 2_000;
const SENTENCES_PER_SLICE = 50;

/** A fact in the third person is worth more than a quotation, by its importance. */
export const FACT_BONUS = 0.4;
const IMPORTANCE_BONUS = 0.12;
const USUAL_IMPORTANCE = 3;
/** A sentence of which its facts tell less may be quoted as well. */
const TOLD_SHARE = 0.7;
const OPENING_BONUS = 0.25;
const ASSISTANT_MALUS = 0.1;

const FIRST_PERSON = /(?<![\p{L}\d'’-])(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|us|[Oo]urs?|I['’]\p{L}+)(?![\p{L}\d-])/u;

/**
 * What a summary of messages may say, in their order: facts in the third person, as the local provider extracts them,
 * and quotations of what it has no rule for. Yields after each message.
 */
export function* listStatements(
  messages: readonly ConversationMessage[],
  kind: SummaryKind,
  user: KnownUser,
): Sliced<Statement[]> {
  if (kind === 'document') return yield* listDocumentStatements(messages);
  const reader = new ConversationReader(messages, kind, user);
  for (const [index, message] of messages.entries()) {
    reader.read(message, index);
    yield;
  }
  return reader.finish();
}

class ConversationReader {
  private readonly quotations: Statement[] = [];
  private readonly collector: MemoryCollector;
  private readonly nameSpeaker: (message: ConversationMessage) => string;
  private readonly readOwnWords = createOwnWordsReader();
  private readonly places = new Map<
    string,
    { readonly order: number; readonly saidOn: string; readonly content: string }
  >();

  constructor(
    messages: readonly ConversationMessage[],
    private readonly kind: SummaryKind,
    user: KnownUser,
  ) {
    this.collector = new MemoryCollector(identifySpeakers(user, messages));
    this.nameSpeaker = nameSummarySpeakers(messages, user);
  }

  read(message: ConversationMessage, order: number): void {
    if (message.role !== 'user' && message.role !== 'assistant') return;
    const { id, content, createdAt } = message;
    this.places.set(id, { order, saidOn: renderDay(createdAt), content });
    this.collector.read(message);
    const speaker = this.nameSpeaker(message);
    const bonus = message.role === 'assistant' ? -ASSISTANT_MALUS : 0;
    for (const sentence of this.listSentences(message)) {
      if (sentence.length > MAX_TRIMMED_LENGTH) continue;
      const quotation = trimQuotation(sentence);
      if (!isWorthQuoting(quotation)) continue;
      const verb = this.kind === 'journal' ? 'wrote' : 'said';
      this.quotations.push({
        text: `${speaker} ${verb} “${toQuoted(quotation)}”`,
        saidOn: renderDay(createdAt),
        messageIds: [id],
        sentences: [keyOf(id, sentence)],
        isQuotation: true,
        order: order + placeWithin(content, sentence),
        stems: listTopicStems(quotation),
        bonus: bonus + rateWords(quotation),
      });
    }
  }

  finish(): Statement[] {
    const facts = this.collector.memories.map((memory) => this.toFact(memory));
    const told = new Map<string, Set<string>>();
    for (const { sentences, stems } of facts) {
      for (const key of sentences) told.set(key, new Set([...(told.get(key) ?? []), ...stems]));
    }
    const quotations = this.quotations.filter((quotation) => !isToldBy(quotation, told.get(quotation.sentences[0]!)));
    return [...facts, ...quotations].toSorted((a, b) => a.order - b.order);
  }

  private listSentences(message: ConversationMessage): readonly string[] {
    const content = message.content.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
    if (message.role === 'assistant') return splitSentences(content);
    const parts: string[] = [];
    const work = this.readOwnWords({ content, saidAt: message.createdAt, speaker: message.actorId });
    let step = work.next();
    while (!step.done) step = work.next();
    parts.push(...step.value);
    return parts.flatMap((part) => splitSentences(part));
  }

  private toFact({ content, evidence, importance }: MemoryCollector['memories'][number]): Statement {
    const [first] = evidence;
    const place = this.places.get(first!.message_id)!;
    const isDated = /\b\d{4}\b/u.test(content);
    return {
      text: content.replace(/\.$/u, ''),
      saidOn: isDated ? null : place.saidOn,
      messageIds: evidence.map(({ message_id }) => message_id),
      sentences: evidence.map(({ message_id, quote }) => keyOf(message_id, quote)),
      isQuotation: false,
      order: place.order + placeWithin(place.content, first!.quote),
      stems: listTopicStems(content),
      bonus:
        FACT_BONUS +
        (importance - USUAL_IMPORTANCE) * IMPORTANCE_BONUS +
        (evidence.length - 1) * IMPORTANCE_BONUS +
        rateWords(content),
    };
  }
}

/** Without marks that would end the quotation, and without its full stop. */
function toQuoted(words: string): string {
  return words.replace(/["“”]/gu, "'").replace(/\.$/u, '');
}

/** Whether the facts of a sentence have nearly all of its words. */
function isToldBy({ stems }: Statement, told: ReadonlySet<string> | undefined): boolean {
  return told !== undefined && [...stems].filter((stem) => told.has(stem)).length >= stems.size * TOLD_SHARE;
}

function keyOf(messageId: string, sentence: string): string {
  return `${messageId}\n${sentence}`;
}

/** From 0 to below 1. */
function placeWithin(content: string, sentence: string): number {
  return Math.max(0, content.indexOf(sentence)) / (content.length + 1);
}

function isWorthQuoting(sentence: string): boolean {
  return (
    sentence.length >= MIN_QUOTATION &&
    sentence.length <= MAX_QUOTATION &&
    !isQuestion(sentence) &&
    !opensAsQuestion(sentence) &&
    !isForeignText(sentence) &&
    !isSmallTalk(sentence)
  );
}

/** A document's sentences as they are: nobody says them. The first ones of each message and paragraph tell its subject. */
function* listDocumentStatements(messages: readonly ConversationMessage[]): Sliced<Statement[]> {
  const statements: Statement[] = [];
  for (const [order, { id, content, createdAt }] of messages.entries()) {
    let opens = true;
    for (const [index, sentence] of splitSentences(content).slice(0, MAX_SENTENCES_PER_MESSAGE).entries()) {
      if (index > 0 && index % SENTENCES_PER_SLICE === 0) yield;
      if (sentence.length < MIN_QUOTATION || sentence.length > MAX_DOCUMENT_SENTENCE) continue;
      if (isQuestion(sentence) || isForeignText(sentence) || isSmallTalk(sentence)) continue;
      const words = sentence.replace(/\.$/u, '');
      statements.push({
        text: FIRST_PERSON.test(words) ? `The text says “${toQuoted(words)}”` : annotateDates(words, createdAt),
        saidOn: null,
        messageIds: [id],
        sentences: [],
        isQuotation: false,
        order: order + placeWithin(content, sentence),
        stems: listTopicStems(sentence),
        bonus: rateWords(sentence) + (opens ? OPENING_BONUS : 0),
      });
      opens = false;
    }
    yield;
  }
  return statements;
}
