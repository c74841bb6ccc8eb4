import { mapConcurrently } from '@annals/testing';
import type { DrivenSystem } from '../minds/driven-system.fixture.js';
import type { ForgettingCase, Question, Said, Step } from './forgetting-case.fixture.js';

const DAY_MS = 86_400_000;
/** Cases whose steps run at the same time. */
const CONCURRENCY = 6;
const GENERAL_QUERIES = ['What do you know about me?', 'What happened lately?'];
const LISTED_STATES = ['active', 'quarantined', 'soft_deleted'];

interface ForgetAnswer {
  readonly code?: string;
  readonly counts?: Readonly<Record<string, number>>;
}

/** A case and the person whom it is about. */
interface Running {
  readonly given: ForgettingCase;
  readonly userId: string;
  readonly failures: string[];
}

/**
 * Carries out the steps of cases, each about a person of its own, side by side: all do their n-th step, then everything
 * that follows from it is waited for. Afterwards each case lists what it found and should not have, or did not find.
 */
export class CaseRunner {
  private posts = 0;

  constructor(
    private readonly system: DrivenSystem,
    /** What the queue and caches outside of the database contain. */
    private readonly readQueue: () => Promise<string>,
  ) {}

  /** What was found wrong, by the name of the case. `days`: how much time passes before `later`. */
  async run(
    group: string,
    cases: readonly ForgettingCase[],
    { days = 0 }: { readonly days?: number } = {},
  ): Promise<Map<string, readonly string[]>> {
    const running = cases.map((given, index): Running => ({ given, userId: `${group}-${index}`, failures: [] }));
    await this.runSteps(running, ({ steps }) => steps);
    if (days > 0) {
      await this.system.pass(days * DAY_MS, DAY_MS);
      await this.runSteps(running, ({ later = [] }) => later);
    }
    const tables = await this.readTables();
    await mapConcurrently(
      running,
      async (one) => {
        try {
          await this.check(one, tables);
        } catch (error) {
          one.failures.push(`check: ${(error as Error).message.slice(0, 300)}`);
        }
      },
      CONCURRENCY,
    );
    return new Map(running.map(({ given, failures }) => [given.name, failures]));
  }

  private async runSteps(running: readonly Running[], list: (given: ForgettingCase) => readonly Step[]): Promise<void> {
    const rounds = Math.max(...running.map(({ given }) => list(given).length));
    for (let round = 0; round < rounds; round += 1) {
      await mapConcurrently(
        running,
        async (one) => {
          const step = list(one.given)[round];
          if (step === undefined) return;
          try {
            await this.take(one, step);
          } catch (error) {
            one.failures.push(`step ${round + 1} (${step.do}): ${(error as Error).message.slice(0, 300)}`);
          }
        },
        CONCURRENCY,
      );
      await this.system.waitUntilQuiet();
    }
  }

  private async take({ userId }: Running, step: Step): Promise<void> {
    switch (step.do) {
      case 'say':
        return this.post(userId, step.messages, step);
      case 'sayThenForget':
        await this.post(userId, step.messages, {});
        return this.forget(userId, step.text);
      case 'add':
        await this.must('POST', '/v1/memories', { user_id: userId, content: step.content, category: 'profile' });
        return;
      case 'forget':
        return this.forget(userId, step.text, step.answer);
      case 'forgetTurn': {
        const [turn] = await this.system.query<{ id: string; conversation_id: string }>(
          `SELECT m.id, m.conversation_id FROM messages m JOIN conversations c ON c.id = m.conversation_id
            WHERE c.user_id = $1 AND m.content ILIKE $2 ORDER BY m.id LIMIT 1`,
          [userId, `%${step.word}%`],
        );
        if (!turn) throw new Error(`No turn contains ${step.word}.`);
        await this.must('DELETE', `/v1/conversations/${turn.conversation_id}/messages/${turn.id}`);
        return;
      }
      case 'delete':
        return void (await this.must('DELETE', `/v1/memories/${await this.findMemory(userId, step.word)}`));
      case 'restore':
        return void (await this.must('POST', `/v1/memories/${await this.findMemory(userId, step.word)}/restore`));
      case 'pin':
        return void (await this.must('PATCH', `/v1/memories/${await this.findMemory(userId, step.word)}`, {
          pinned: true,
        }));
    }
  }

  private async post(
    userId: string,
    messages: readonly Said[],
    { thread, daysAgo, appId, end }: Partial<Extract<Step, { do: 'say' }>>,
  ): Promise<void> {
    const saidAt =
      daysAgo === undefined ? {} : { created_at: new Date(this.system.clock.now() - daysAgo * DAY_MS).toISOString() };
    await this.must('POST', '/v1/conversations', {
      user_id: userId,
      thread_id: `${userId}/${thread ?? 'thread'}`,
      ...(appId === undefined ? {} : { app_id: appId }),
      messages: messages.map((said) => ({
        ...(typeof said === 'string' ? { role: 'user', content: said } : said),
        ...saidAt,
      })),
      flush: true,
      ...(end === true ? { end } : {}),
    });
  }

  private async forget(userId: string, text: string, expected: string = 'forgotten'): Promise<void> {
    const body = { user_id: userId, text, dry_run: expected === 'dry_run' };
    const answer = await this.send('POST', '/v1/memories/forget', body);
    const { code, counts = {} } = JSON.parse(answer.text) as ForgetAnswer;
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const is =
      answer.status === 409 && code === 'ambiguous_subject'
        ? 'ambiguous'
        : answer.status !== 200
          ? `answered ${answer.status} ${code ?? ''}`
          : total === 0
            ? 'nothing'
            : body.dry_run
              ? 'dry_run'
              : 'forgotten';
    if (is !== expected) throw new Error(`Expected ${expected}, was ${is}.`);
  }

  private async findMemory(userId: string, word: string): Promise<string> {
    const [memory] = await this.system.query<{ id: string }>(
      `SELECT id FROM memories WHERE user_id = $1 AND content ILIKE $2 ORDER BY id LIMIT 1`,
      [userId, `%${word}%`],
    );
    if (!memory) throw new Error(`No memory contains ${word}.`);
    return memory.id;
  }

  private async check({ given, userId, failures }: Running, tables: ReadonlyMap<string, TableText>): Promise<void> {
    const { gone = [], stays = [], remembered = [], questions = [] } = given;
    const everything = gone.length === 0 ? '' : await this.readEverything(userId, gone);
    for (const word of gone.map(fold)) {
      if (everything.includes(word)) failures.push(`${word} is in an answer or the export`);
      const hex = Buffer.from(word).toString('hex');
      for (const [table, text] of tables) {
        if (text.plain.includes(word) || text.bytes.includes(hex)) failures.push(`${word} is in ${table}`);
      }
    }
    for (const word of stays) {
      if (!fold(await this.query(userId, { query: word })).includes(fold(word)))
        failures.push(`${word} is not answered`);
    }
    for (const word of remembered) {
      const memories = await this.must('GET', `/v1/memories?user_id=${encodeURIComponent(userId)}`);
      if (!fold(memories).includes(fold(word))) failures.push(`${word} is not remembered`);
    }
    for (const question of questions) {
      const answer = fold(await this.query(userId, question));
      for (const word of question.has ?? []) {
        if (!answer.includes(fold(word))) failures.push(`"${question.query}" is not answered with ${word}`);
      }
      for (const word of question.hasNot ?? []) {
        if (answer.includes(fold(word))) failures.push(`"${question.query}" is answered with ${word}`);
      }
    }
  }

  private async readEverything(userId: string, gone: readonly string[]): Promise<string> {
    const user = encodeURIComponent(userId);
    const texts = await Promise.all([
      ...[...gone, ...GENERAL_QUERIES].map((query) => this.query(userId, { query })),
      this.must('POST', '/v1/memory/query', { filters: { user_id: userId } }),
      this.must('GET', `/v1/users/${user}/export`),
      this.must('GET', `/v1/users/${user}/insights`),
      this.must('GET', `/v1/users/${user}/context`),
      this.must('GET', `/v1/events?user_id=${user}`),
      ...LISTED_STATES.map((state) =>
        this.must('GET', `/v1/memories?user_id=${user}&include_superseded=true&state=${state}`),
      ),
      this.must(
        'GET',
        `/v1/threads/${encodeURIComponent(`${userId}/thread`)}/delta?user_id=${user}&since=0`,
        undefined,
        [404],
      ),
      this.must(
        'GET',
        `/v1/threads/${encodeURIComponent(`${userId}/thread`)}/summary?user_id=${user}&level=all&tombstones=true`,
        undefined,
        [404],
      ),
    ]);
    return dropRandom(fold(texts.join('\n')));
  }

  private async query(userId: string, { query, asOfDaysAgo }: Question): Promise<string> {
    const asOf =
      asOfDaysAgo === undefined
        ? {}
        : { as_of: new Date(this.system.clock.now() - asOfDaysAgo * DAY_MS).toISOString() };
    return this.must('POST', '/v1/memory/query', {
      query,
      filters: { user_id: userId },
      top_k: 20,
      return: 'full',
      ...asOf,
    });
  }

  /** The words of every row, by table; of bytes, as hexadecimals. And what is outside of the tables. */
  private async readTables(): Promise<ReadonlyMap<string, TableText>> {
    const tables = await this.system.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'annals' ORDER BY 1`,
    );
    const texts = new Map<string, TableText>();
    for (const { name } of tables) {
      const rows = await this.system.query<{ row: string }>(`SELECT t::text AS row FROM annals.${name} t`);
      texts.set(name, toTableText(rows.map(({ row }) => row).join('\n')));
    }
    return texts.set('the queue', toTableText(await this.readQueue()));
  }

  private send(method: string, path: string, body?: object) {
    this.posts += 1;
    const headers: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': `step-${this.posts}` };
    return this.system.client.send(method, path, { ...(body === undefined ? {} : { body }), headers });
  }

  private async must(method: string, path: string, body?: object, others: readonly number[] = []): Promise<string> {
    const { status, text } = await this.send(method, path, body);
    if (status >= 300 && !others.includes(status)) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return text;
  }
}

/** What a table contains: as it is, for bytes in hexadecimals, and without what is random. */
interface TableText {
  readonly bytes: string;
  readonly plain: string;
}

function toTableText(text: string): TableText {
  const bytes = fold(text);
  return { bytes, plain: dropRandom(bytes) };
}

/** A number of six digits is sometimes in a hash, in an id or in the microseconds of a time. */
const dropRandom = (folded: string) =>
  folded.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}|(?<=:\d\d)\.\d{1,6}/gu, '…');

const fold = (text: string) => text.toLowerCase();
