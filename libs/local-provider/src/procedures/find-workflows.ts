import type { Evidence, MessageRole } from '@annals/contracts';
import { collectStems, describeGoal, listStems, listTags } from './describe-goal.js';
import { readToolOutcome, readUserOutcome } from './read-outcome.js';
import { readRequest, type Request } from './read-request.js';
import { readWork } from './read-steps.js';

/** A message as the rules for workflows read it. */
export interface WorkMessage {
  readonly id: string;
  readonly role: MessageRole;
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
  /** Stems of the words with which agents report it, and of its goal. */
  readonly words: ReadonlySet<string>;
  /** Its messages, from the request to the last of the work. */
  readonly messages: readonly WorkMessage[];
  /** Id of the message in which somebody else confirms last that it worked. */
  readonly confirmedBy: string;
  /** The user's own words dictate most steps. */
  readonly isDictated: boolean;
}

/** The number of steps of a procedure from the work of agents. */
export const MIN_WORK_STEPS = 3;
/** More are no workflow that can be told as a procedure. */
const MAX_READ_STEPS = 30;
/** In UTF-16 units: longer messages of agents are no reports, and of those of others, the first and last part is read. */
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
    if (message.role === 'user') heard.push(hear(message));
    const request = findRequest(message);
    work?.read(message);
    if (request && !work?.takes(message, request)) {
      found.push(...(work?.finish() ?? []));
      work = new WorkInProgress(message, request, heard);
    }
  }
  return [...found, ...(work?.finish() ?? [])];
}

/** Of users, and of agents that delegate. A question of an agent is none: it asks for information. */
function findRequest({ role, isAgent, ownWords }: WorkMessage): Request | null {
  if (role !== 'user' && !isAgent) return null;
  const request = readRequest(ownWords, { isAgent });
  return isAgent && request?.kind === 'information' ? null : request;
}

class WorkInProgress {
  private readonly messages: WorkMessage[];
  private steps: WorkStep[] = [];
  private confirmed = 0;
  private confirmedBy = '';
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

  read(message: WorkMessage): void {
    this.messages.push(message);
    if (message.isAgent && message.content.length <= MAX_READ_UNITS) this.readAgent(message);
    else if (message.role === 'tool') this.readTool(message);
    else if (message.role === 'user') this.readUser(message);
  }

  finish(): Workflow[] {
    if (this.request.kind !== 'work' || this.hasFailed || this.isUnfinished) return [];
    const steps = this.steps.slice(0, this.confirmed);
    if (steps.length < MIN_WORK_STEPS || steps.length > MAX_READ_STEPS) return [];
    const { messages } = this;
    const reporting = new Set(steps.map(({ evidence }) => evidence.message_id));
    const words = collectStems(messages.filter(({ id }) => reporting.has(id)).flatMap(({ ownWords }) => ownWords));
    const instructions = steps.map(({ instruction }) => instruction);
    const goal = describeGoal(this.request.goal, words, instructions);
    const dictated = instructions.filter((instruction) => this.isDictated(instruction));
    return [
      {
        goal,
        steps,
        tags: listTags(goal),
        words: new Set([...words, ...listStems(goal)]),
        messages,
        confirmedBy: this.confirmedBy,
        isDictated: dictated.length * 2 >= steps.length,
      },
    ];
  }

  private readAgent({ id, ownWords }: WorkMessage): void {
    const before = this.steps.length;
    for (const event of readWork(ownWords)) {
      if (event.kind === 'step') {
        this.addStep({ instruction: event.instruction, evidence: { message_id: id, quote: event.quote } });
      } else if (event.kind === 'unfinished') this.isUnfinished = true;
      else this.fail(event.kind === 'undone');
    }
    // The results of tools come before the report of all that was done.
    if (this.succeededBefore !== '' && this.steps.length - before >= MIN_WORK_STEPS) this.confirm(this.succeededBefore);
  }

  private readTool({ id, content }: WorkMessage): void {
    const outcome = readToolOutcome(shorten(content));
    if (outcome === 'failure') this.fail(false);
    if (outcome !== 'success') return;
    if (this.steps.length === 0) this.succeededBefore = id;
    this.confirm(id);
  }

  private readUser({ id, ownWords }: WorkMessage): void {
    const outcome = readUserOutcome(ownWords);
    if (outcome === 'success') this.confirm(id);
    if (outcome === 'failure') this.fail(false);
  }

  /** A step that is told again, in a summary, counts once. Words that a user wrote first are no report of an agent. */
  private addStep(step: WorkStep): void {
    const key = toKey(step.instruction);
    if (this.steps.length > MAX_READ_STEPS) return;
    if (this.steps.some(({ instruction }) => toKey(instruction) === key)) return;
    const quote = step.evidence.quote.toLowerCase();
    if (this.heard.some(({ text }) => text.includes(quote))) return;
    this.isUnfinished = false;
    this.steps.push(step);
  }

  /** One message of a user has all words of the instruction. */
  private isDictated(instruction: string): boolean {
    const stems = listStems(instruction);
    return this.heard.some(({ words }) => stems.every((one) => words.has(one)));
  }

  private confirm(messageId: string): void {
    this.hasFailed = false;
    this.confirmed = this.steps.length;
    this.confirmedBy = messageId;
  }

  /** What failed is no step, and what was undone none of those before. */
  private fail(isUndone: boolean): void {
    this.hasFailed = true;
    this.succeededBefore = '';
    this.steps = isUndone ? [] : this.steps.slice(0, -1);
    this.confirmed = 0;
  }
}

function toKey(instruction: string): string {
  return listStems(instruction).join(' ');
}

/** What a user has said, to tell what agents only repeat: steps may be dictated long before they are asked for. */
interface HeardMessage {
  /** In lower case. */
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

function hear({ content }: WorkMessage): HeardMessage {
  return { text: content.toLowerCase(), words: collectStems([shorten(content)]) };
}

function shorten(text: string): string {
  if (text.length <= MAX_READ_UNITS) return text;
  const half = MAX_READ_UNITS / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`.toWellFormed();
}
