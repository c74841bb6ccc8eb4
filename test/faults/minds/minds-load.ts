import {
  type ApiClient,
  mapConcurrently,
  MEMORY_PAIRS,
  renderFactMessage,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';

/** Messages of an assistant that fill a chunk of a summary (docs/reference/summaries.md) when there are six of them. */
const LONG_MESSAGES = 6;
const LONG_SENTENCES = 80;
const PAIRS = MEMORY_PAIRS.filter(({ kind }) => kind === 'same' || kind === 'topic');
const PAIRS_EACH = 4;

/**
 * New users of whom all minds have something to think about: memories that could be one, and a conversation that ends,
 * every other one with more than a chunk of text.
 */
export class MindsLoad {
  readonly batchIds: string[] = [];
  readonly conversationIds: string[] = [];
  /** Of consolidation, asked for by hand. */
  readonly runIds: string[] = [];
  readonly users: string[] = [];

  constructor(
    private readonly client: ApiClient,
    private readonly explain: () => string,
  ) {}

  async add(count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, index) => this.users.length + index);
    this.users.push(...numbers.map(nameUser));
    await mapConcurrently(numbers, (number) => this.remember(number), count);
    await mapConcurrently(numbers, (number) => this.talk(number), count);
  }

  /** Until it is accepted: PostgreSQL may be away. What is sent here may be sent twice. */
  private async ask<Name extends Parameters<ApiClient['call']>[0]>(
    name: Name,
    input: Parameters<typeof this.client.call<Name>>[1],
  ) {
    const answer = await waitUntil(
      async () => {
        const sent = await this.client.call(name, input);
        return sent.status === 503 ? undefined : sent;
      },
      { describe: `${name} is answered` },
    );
    if (!answer.ok) throw new Error(`${name} was refused: ${answer.problem.detail}`);
    return answer.body;
  }

  private async remember(number: number): Promise<void> {
    const pairs = Array.from(
      { length: PAIRS_EACH },
      (_, index) => PAIRS[(number * PAIRS_EACH + index) % PAIRS.length]!,
    );
    for (const content of new Set(pairs.flatMap(({ a, b }) => [a, b]))) {
      await this.ask('addMemory', { body: { user_id: nameUser(number), category: 'profile', content } });
    }
    const body = { user_id: nameUser(number) };
    this.runIds.push((await this.ask('startConsolidation', { body })).run_id);
  }

  private async talk(number: number): Promise<void> {
    const body = {
      user_id: nameUser(number),
      thread_id: `thread-${number}`,
      flush: true,
      messages: listMessages(number),
    };
    const { batch_ids, conversation_id } = await this.ask('postConversation', { body });
    this.batchIds.push(...batch_ids);
    this.conversationIds.push(conversation_id);
    await waitUntilDone(this.client, batch_ids, { explain: this.explain });
    await this.ask('endConversation', { params: { id: conversation_id } });
  }
}

export const nameUser = (number: number): string => `user-${number}`;

/** Whether the conversation of a user has more than a chunk of text. */
export const isLong = (number: number): boolean => number % 2 === 0;

function listMessages(number: number) {
  const asked = { id: `asked-${number}`, role: 'user' as const, content: renderFactMessage(number) };
  const told = Array.from({ length: isLong(number) ? LONG_MESSAGES : 1 }, (_, index) => ({
    id: `told-${number}-${index}`,
    role: 'assistant' as const,
    content: Array.from(
      { length: LONG_SENTENCES },
      () => 'Collections of old lamps need dry shelves and soft light.',
    ).join(' '),
  }));
  return [asked, ...told];
}
