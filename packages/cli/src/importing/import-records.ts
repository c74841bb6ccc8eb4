import type {
  ImportedContext,
  ImportedConversation,
  ImportedMemory,
  ImportedMessage,
  ImportedRecord,
  ImportRecords,
  RecordsImported,
} from '@annals/sdk';
import { findReason, placeBy, sendWithoutNamed } from '../client/send-without-named.js';
import { leftOut } from '../formats/not-taken.js';
import type { Counted } from '../report/tally.js';
import { listItems, placeOfValue, toContext } from './context-items.js';
import type { ImportContext } from './import-context.js';
import { sendDivided, type SentMemory } from './send-divided.js';

/** Of one request: a good deal less than the server takes. */
export const RECORDS_OF_REQUEST = { items: 100, bytes: 500_000 };

const MESSAGE_PATH = /^body\.conversations\[0\]\.messages\[(\d+)\]/;
/** A field of the conversation itself. */
const CONVERSATION_PATH = /^body\.conversations\[0\]\.(?!messages\b)/;
const SINGULAR = {
  user_context: 'user_context',
  conversations: 'conversation',
  messages: 'message',
  memories: 'memory',
} as const;

type ImportSource = NonNullable<ImportedMemory['sources']>[number];
type Outcome = Pick<ImportedRecord, 'outcome' | 'code' | 'detail' | 'differs'>;

/** Some of the messages of a conversation, or none of one that is empty. */
export interface ConversationPart {
  readonly conversation: ImportedConversation;
  readonly messages: readonly ImportedMessage[];
  /** Whether another part was read before. */
  readonly isContinued: boolean;
}

/** Sends finished records, and counts what becomes of them. */
export class RecordSender {
  /** Ids that stand for others: of memories that say the same as one that was there. */
  readonly standIns: Map<string, string>;
  /** The same of messages, which the user had here with the `external_id`. */
  readonly messageStandIns = new Map<string, string>();
  /** Memories that refer to something that is not there yet. */
  pending: number;

  constructor(
    private readonly context: ImportContext,
    private readonly source: string,
  ) {
    this.standIns = new Map(context.resumed?.standIns ?? []);
    this.pending = context.resumed?.pending ?? 0;
  }

  async sendContext(context: ImportedContext): Promise<void> {
    const values = listItems(context);
    this.context.tally.counts.user_context.read += values.length;
    const { answer, named } = await sendWithoutNamed(
      values,
      (rest) => this.send({ user_context: toContext(rest) }),
      placeOfValue,
    );
    for (const { item, reason } of named) this.refuse('user_context', item.field, reason);
    for (const value of answer?.user_context ?? []) this.count('user_context', value.field, value);
  }

  async sendConversation(part: ConversationPart): Promise<void> {
    const { conversation, messages, isContinued } = part;
    const { counts } = this.context.tally;
    counts.messages.read += messages.length;
    if (!isContinued) counts.conversations.read += 1;
    try {
      await this.sendMessages(part);
    } catch (error) {
      const reason = findReason(error, CONVERSATION_PATH);
      if (reason === null) throw error;
      if (!isContinued) this.refuse('conversations', conversation.id, reason);
      for (const { id } of messages) this.refuse('messages', id, 'The server refused their conversation.');
    }
  }

  private async sendMessages({ conversation, messages, isContinued }: ConversationPart): Promise<void> {
    const sent =
      messages.length === 0
        ? { answer: await this.send({ conversations: [conversation] }), items: [], named: [] }
        : await sendWithoutNamed(
            messages,
            (rest) => this.send({ conversations: [{ ...conversation, messages: [...rest] }] }),
            placeBy(MESSAGE_PATH),
          );
    for (const { item, reason } of sent.named) this.refuse('messages', item.id, reason);
    const answered = sent.answer?.conversations[0];
    if (!answered) return;
    if (!isContinued) this.count('conversations', conversation.id, answered);
    for (const [index, { id }] of sent.items.entries()) {
      const record = answered.messages[index]!;
      this.count('messages', id, record);
      if (record.outcome === 'already_there' && record.id !== id) this.messageStandIns.set(id, record.id!);
    }
  }

  /** `isAgain`: they were sent before, and are completed by what they refer to. */
  async sendMemories(memories: readonly ImportedMemory[], { isAgain = false } = {}): Promise<void> {
    if (!isAgain) this.context.tally.counts.memories.read += memories.length;
    const sent = await sendDivided(
      memories.map((memory) => this.withStandIns(memory)),
      async (part) => (await this.send({ memories: [...part] })).memories,
    );
    if (!isAgain) sent.forEach((each) => this.countMemory(each));
  }

  private countMemory({ id, record, isPending, refusedParts, leftOutEnds }: SentMemory): void {
    const { tally } = this.context;
    this.count('memories', id, record);
    for (const reason of refusedParts) tally.addNotTaken({ kind: 'memory', id, reason, isRefused: true });
    if (record.outcome === 'refused') return;
    for (let count = 0; count < leftOutEnds; count += 1)
      tally.addNotTaken(leftOut('memory', id, 'former ends of memories beyond 100'));
    if (isPending) this.pending += 1;
    if (record.outcome === 'already_there' && record.id !== id) this.standIns.set(id, record.id!);
  }

  private withStandIns(memory: ImportedMemory): ImportedMemory {
    const { superseded_by: successor, relations = [], sources = [] } = memory;
    const stand = (id: string) => this.standIns.get(id) ?? id;
    return {
      ...memory,
      ...(successor ? { superseded_by: stand(successor) } : {}),
      relations: relations.map((relation) => ({ ...relation, to: stand(relation.to) })),
      sources: this.withMessageStandIns(sources),
    };
  }

  /** Several messages may be one here. */
  private withMessageStandIns(sources: readonly ImportSource[]): ImportSource[] {
    const byMessage = new Map<string, ImportSource>();
    for (const { message_id: id, quote } of sources) {
      const messageId = this.messageStandIns.get(id) ?? id;
      if (!byMessage.has(messageId)) byMessage.set(messageId, { message_id: messageId, quote });
    }
    return [...byMessage.values()];
  }

  private send(records: Omit<ImportRecords, 'source'>): Promise<RecordsImported> {
    const { annals, command } = this.context;
    return annals.users.import(command.user, { source: this.source, ...records }, { dry_run: command.isDryRun });
  }

  private count(kind: Counted, id: string, record: Outcome): void {
    if (record.outcome === 'refused')
      this.refuse(kind, id, record.detail ?? record.code ?? 'The server gave no reason.');
    else this.context.tally.counts[kind][record.outcome] += 1;
    if (record.differs)
      this.context.tally.addNotTaken(leftOut(SINGULAR[kind], id, 'texts that differ from what is here'));
  }

  private refuse(kind: Counted, id: string, reason: string): void {
    const { tally } = this.context;
    tally.counts[kind].refused += 1;
    tally.addNotTaken({ kind: SINGULAR[kind], id, reason, isRefused: true });
  }
}
