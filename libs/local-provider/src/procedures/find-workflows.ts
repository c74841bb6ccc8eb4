import type { Evidence, MessageRole } from '@annals/contracts';
import { collectStems, describeGoal, listStems, listTags } from './describe-goal.js';
import { hear, type HeardMessage, isComparable as canBeCompared, isDictated } from './heard-messages.js';
import { shortenText } from './list-sentences.js';
import { readToolOutcome, readUserOutcome } from './read-outcome.js';
import { readRequest, type Request } from './read-request.js';
import { readWork } from './read-steps.js';

/** A message as the rules for workflows read it. */
export interface WorkMessage {
  readonly id: string;
  readonly role: MessageRole;
  /** The user, not another participant of the role `user`. */
  readonly isUser: boolean;
  /** An agent whose work is recorded. */
  readonly isAgent: boolean;
  readonly content: string;
  /** What the speaker says in person; of tools, nothing. */
  readonly ownWords: readonly string[];
}

interface WorkStep {
  /** In the imperative, without a full stop: "open the release branch". */
  readonly instruction: string;
  readonly evidence: Evidence;
}

/** Work of agents that was requested, carried out and confirmed. */
export interface Workflow {
  /** As in "publish release 2.4". */
  readonly goal: string;
  readonly steps: readonly WorkStep[];
  readonly tags: readonly string[];
  /** Stems of the words with which agents report it, and of a goal that shares them. */
  readonly words: ReadonlySet<string>;
  /** Its messages, from the request to the last of the work. */
  readonly messages: readonly WorkMessage[];
  /** Id of the message in which the user or a tool confirms last that it worked. */
  readonly confirmedBy: string;
  /** Id of the message with which it was over: the user's confirmation, or the first words after a tool's. */
  readonly endedBy: string;
  /** A tool has succeeded after the last step, and the goal is in the words of agents. */
  readonly isProven: boolean;
  /**
   * Whether a message before the last step has dictated one, as it is worded or quoted, or may have: it is too long, or
   * not in English.
   */
  isDictated(step: string): boolean;
}

/** The number of steps of a procedure from the work of agents. */
export const MIN_WORK_STEPS = 3;
/** More are no workflow that can be told as a procedure. */
const MAX_READ_STEPS = 30;
/** Sentences and steps of one work that are read, those that are told again included. */
const MAX_READ_EVENTS = 400;
/** Of these, as many as are read in one slice. */
const EVENTS_PER_SLICE = 40;
/** In UTF-16 units: longer messages of agents are no reports, and of results of tools, the first and last part is read. */
const MAX_READ_UNITS = 16_384;

/**
 * The workflows of a conversation (docs/reference/extraction.md#procedures-from-the-work-of-agents), in their order. Tuned
 * for precision: plans, advice, failed or unconfirmed work, stories and what users say they did give none. English only.
 */
export function* findWorkflows(messages: readonly WorkMessage[]): Generator<void, Workflow[]> {
  const found: Workflow[] = [];
  const heard: HeardMessage[] = [];
  let work: WorkInProgress | null = null;
  for (const message of messages) {
    yield;
    if (message.role === 'user') heard.push(hear(message.content));
    const request = findRequest(message);
    const isAdded = request !== null && work?.takes(message, request) === true;
    if (work) yield* work.read(message, isAdded);
    if (request && !isAdded) {
      if (work) found.push(...(yield* work.finish(message.id)));
      work = new WorkInProgress(message, request, heard);
    }
  }
  if (work) found.push(...(yield* work.finish(null)));
  return found;
}

/** Of the user, and of agents that delegate. A question of an agent is none: it asks for information. */
function findRequest({ isUser, isAgent, ownWords }: WorkMessage): Request | null {
  if (!isUser && !isAgent) return null;
  const request = readRequest(ownWords, { isAgent });
  return isAgent && request?.kind === 'information' ? null : request;
}

class WorkInProgress {
  private readonly messages: WorkMessage[];
  private steps: WorkStep[] = [];
  /** Keys of the steps. */
  private readonly keys = new Set<string>();
  private readEvents = 0;
  /** Number of messages that were heard before the last step. */
  private heardBefore = 0;
  private confirmed = 0;
  private confirmedBy = '';
  /** Steps that a tool has confirmed. */
  private proven = 0;
  /** Steps with which the work was over, and by which message. */
  private ended = 0;
  private endedBy = '';
  /** A tool has succeeded before any step was reported. */
  private succeededBefore = '';
  private hasFailed = false;
  private isUnfinished = false;

  constructor(
    opening: WorkMessage,
    private readonly request: Request,
    /** All messages of users so far. */
    private readonly heard: readonly HeardMessage[],
  ) {
    this.messages = [opening];
  }

  /** Whether a request is part of this work: an addition, or what an agent asks for on the way. */
  takes({ isAgent }: WorkMessage, request: Request): boolean {
    if (this.request.kind !== 'work' || request.kind !== 'work') return false;
    return request.adds || (isAgent && this.confirmedBy === '');
  }

  /** `isAdded`: the message asks for more of this work. */
  *read(message: WorkMessage, isAdded: boolean): Generator<void, void> {
    this.messages.push(message);
    if (message.isAgent && message.content.length <= MAX_READ_UNITS) yield* this.readAgent(message);
    else if (message.role === 'tool') this.readTool(message);
    else if (message.role === 'user') this.readUser(message, isAdded);
  }

  /** `nextId`: of the message with which something else begins; null while the work may go on. */
  *finish(nextId: string | null): Generator<void, Workflow[]> {
    if (this.request.kind !== 'work' || this.hasFailed || this.isUnfinished) return [];
    if (nextId !== null) this.end(nextId);
    const steps = this.steps.slice(0, this.ended);
    const isTooLong = steps.length > MAX_READ_STEPS || this.readEvents > MAX_READ_EVENTS;
    if (steps.length < MIN_WORK_STEPS || isTooLong) return [];
    const { messages, confirmedBy, endedBy } = this;
    const reporting = new Set(steps.map(({ evidence }) => evidence.message_id));
    const words = new Set<string>();
    for (const { id, ownWords } of messages) {
      if (!reporting.has(id)) continue;
      for (const word of collectStems(ownWords.join('\n'))) words.add(word);
      yield;
    }
    const { goal, isShared } = describeGoal(this.request.goal, words);
    if (isShared) for (const word of listStems(goal)) words.add(word);
    const heard = this.heard.slice(0, this.heardBefore);
    let isComparable = true;
    for (const message of heard) {
      isComparable &&= canBeCompared(message, words);
      yield;
    }
    return [
      {
        goal,
        steps,
        tags: listTags(goal),
        words,
        messages,
        confirmedBy,
        endedBy,
        isProven: isShared && this.proven === steps.length,
        isDictated: (step) => !isComparable || isDictated(heard, step),
      },
    ];
  }

  private *readAgent({ id, ownWords }: WorkMessage): Generator<void, void> {
    const before = this.steps.length;
    for (const events of readWork(ownWords)) {
      this.readEvents += Math.max(1, events.length);
      if (this.readEvents > MAX_READ_EVENTS) return;
      for (const event of events) {
        if (event.kind === 'step') {
          this.addStep({ instruction: event.instruction, evidence: { message_id: id, quote: event.quote } });
        } else if (event.kind === 'unfinished') this.isUnfinished = true;
        else this.fail(event.kind === 'undone');
      }
      if (this.readEvents % EVENTS_PER_SLICE < Math.max(1, events.length)) yield;
    }
    // The results of tools come before the report of all that was done.
    if (this.succeededBefore !== '' && this.steps.length - before >= MIN_WORK_STEPS) this.confirm(this.succeededBefore);
  }

  private readTool({ id, content }: WorkMessage): void {
    const outcome = readToolOutcome(shortenText(content, MAX_READ_UNITS));
    if (outcome === 'failure') this.fail(false);
    if (outcome !== 'success') return;
    if (this.steps.length === 0) this.succeededBefore = id;
    this.confirm(id);
    this.proven = this.steps.length;
  }

  /** Anybody can say that it failed; only the user that it worked. Whatever the user says then ends the work. */
  private readUser({ id, isUser, ownWords }: WorkMessage, isAdded: boolean): void {
    const outcome = readUserOutcome(ownWords);
    if (outcome === 'failure') this.fail(false);
    if (!isUser || outcome === 'failure') return;
    if (outcome === 'success') this.confirm(id);
    if (outcome === 'success' || !isAdded) this.end(id);
  }

  /** A step that is told again, in a summary, counts once. Words that a user wrote first are no report of an agent. */
  private addStep(step: WorkStep): void {
    const key = toKey(step.instruction);
    if (this.steps.length > MAX_READ_STEPS || this.keys.has(key)) return;
    const quote = step.evidence.quote.toLowerCase();
    if (this.heard.some(({ text }) => text.includes(quote))) return;
    this.isUnfinished = false;
    this.keys.add(key);
    this.steps.push(step);
    this.heardBefore = this.heard.length;
  }

  private confirm(messageId: string): void {
    this.hasFailed = false;
    this.confirmed = this.steps.length;
    this.confirmedBy = messageId;
  }

  /** Ends what was confirmed, once: later words about the same steps change nothing. */
  private end(messageId: string): void {
    if (this.confirmed === 0 || this.confirmed === this.ended) return;
    this.ended = this.confirmed;
    this.endedBy = messageId;
  }

  /** What failed is no step, and what was undone none of those before. */
  private fail(isUndone: boolean): void {
    this.hasFailed = true;
    this.succeededBefore = '';
    const last = this.steps.at(-1);
    if (isUndone) this.keys.clear();
    else if (last) this.keys.delete(toKey(last.instruction));
    this.steps = isUndone ? [] : this.steps.slice(0, -1);
    this.confirmed = 0;
    this.proven = 0;
    this.ended = 0;
  }
}

function toKey(instruction: string): string {
  return listStems(instruction).join(' ');
}
