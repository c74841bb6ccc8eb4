import {
  type ImportedRecord,
  type ImportRecords,
  ProblemError,
  type RecordsImported,
  type routes,
} from '@annals/contracts';
import { adviseAgainst, type Clock, type IdGenerator, type Pause, runInSlices } from '@annals/domain';
import { currentTraceparent, type Metrics } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, IDS, METRICS, PAUSE, randomBytes } from '@annals/runtime';
import {
  type Database,
  importRecords,
  type MemoryToImport,
  type RecordsToImport,
  sqlState,
  type Tx,
  UNIQUE_VIOLATION,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { actorOf, tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { MessageKeys } from '../conversations/message-keys.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { IdempotentWrites, type WriteResult } from '../idempotency/idempotent-writes.js';
import { WritingChecks } from '../memories/writing-checks.js';
import { checkMemory, checkMessage, checkValue } from './check-record.js';
import { redactRecords } from './redact-records.js';

type ImportCall = Call<typeof routes.importRecords>;

/** Each kind of record may be taken meanwhile: conversations, messages, memories. */
const MAX_ATTEMPTS = 4;

/** Rolls an import back, and carries its answer out. */
class RolledBack extends Error {
  constructor(readonly answer: RecordsImported) {
    super('Nothing of the import is kept.');
    this.name = 'RolledBack';
  }
}

async function answerRolledBack(work: Promise<Answer<RecordsImported>>): Promise<Answer<RecordsImported>> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RolledBack) return ok(error.answer);
    throw error;
  }
}

/** An import of another user's at the same time may have taken a free id: then it is free no more. */
async function repeatWhileTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await write();
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Imports finished records (docs/reference/moving.md). Only their redacted form is stored. */
@Injectable()
export class RecordImport {
  constructor(
    @Inject(DATABASE) private readonly database: Pick<Database, 'inTenant'>,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
    @Inject(WritingChecks) private readonly writing: WritingChecks,
    @Inject(MessageKeys) private readonly keys: MessageKeys,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'retention'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(PAUSE) private readonly pause: Pause,
  ) {}

  async import(call: ImportCall): Promise<Answer<RecordsImported>> {
    const records = await this.prepare(call);
    if (call.query.dry_run) return answerRolledBack(this.tryOut(call, records));
    const write = () =>
      this.writes.run(call, async (tx): Promise<WriteResult<RecordsImported>> => {
        const body = await this.importInto(tx, call, records);
        // Not even the row of the user is kept, who may have been erased.
        if (isAllRefused(body)) throw new RolledBack(body);
        return { answer: ok(body), userId: call.params.user_id, afterCommit: () => this.count(body) };
      });
    return answerRolledBack(repeatWhileTaken(write));
  }

  /** What an import would do: it is done, and rolled back. */
  private tryOut(call: ImportCall, records: RecordsToImport): Promise<never> {
    return this.database.inTenant(tenantOf(call.caller), async (tx) => {
      throw new RolledBack(await this.importInto(tx, call, records));
    });
  }

  private async importInto(tx: Tx, { body, query }: ImportCall, records: RecordsToImport): Promise<RecordsImported> {
    const { clock, ids } = this;
    const { purgeAfterMs } = this.config.retention;
    const refused = (await this.writing.refuses(tx, ...body.memories))
      ? refuseWriting(body, records)
      : records.memories;
    const input = { ...records, memories: refused };
    const imported = await importRecords(tx, input, { clock, ids, randomBytes, purgeAfterMs });
    const messages = imported.conversations.flatMap((conversation) => conversation.messages);
    return {
      dry_run: query.dry_run,
      ...imported,
      counts: {
        user_context: countOutcomes(imported.user_context),
        conversations: countOutcomes(imported.conversations),
        messages: countOutcomes(messages),
        memories: countOutcomes(imported.memories),
      },
    };
  }

  private async prepare({ params, body, query, caller, redactor }: ImportCall): Promise<RecordsToImport> {
    const now = this.clock.now();
    const { secret, acceptedSecrets } = this.keys;
    const redacting = redactRecords(body, {
      secret,
      acceptedSecrets,
      tenantId: tenantOf(caller),
      redaction: redactor.options,
    });
    const { values, conversations, memories } = await runInSlices(redacting, this.pause);
    return {
      userId: params.user_id,
      actor: actorOf(caller),
      source: body.source,
      isDryRun: query.dry_run,
      now,
      trace: currentTraceparent() ?? null,
      values: values.map((value) => ({ ...value, refusal: checkValue(value, now) })),
      conversations: conversations.map((conversation) => ({
        ...conversation,
        messages: conversation.messages.map((message) => ({ ...message, refusal: checkMessage(message, now) })),
      })),
      memories: memories.map((memory) => ({
        ...memory,
        refusal: checkMemory(memory, now) ?? this.checkCategory(memory, caller),
      })),
    };
  }

  private checkCategory(
    { category }: { category: string },
    { bindings }: ImportCall['caller'],
  ): MemoryToImport['refusal'] {
    try {
      this.catalog.checkCategory(category, bindings);
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { code: 'forbidden_category', detail: error.detail };
    }
  }

  private count({ counts }: RecordsImported): void {
    for (const kind of ['user_context', 'conversations', 'messages', 'memories'] as const) {
      for (const outcome of ['taken', 'already_there', 'refused'] as const) {
        this.metrics.add('memory_llm_imported_records_total', counts[kind][outcome], { kind, outcome });
      }
    }
  }
}

function refuseWriting(body: ImportRecords, { memories }: RecordsToImport): MemoryToImport[] {
  return memories.map((memory, index) => {
    const advice = memory.refusal ? null : adviseAgainst(body.memories[index]!);
    return advice === null ? memory : { ...memory, refusal: { code: 'writing_refused', detail: advice } };
  });
}

function countOutcomes(records: readonly Pick<ImportedRecord, 'outcome'>[]): RecordsImported['counts']['memories'] {
  const counts = { taken: 0, already_there: 0, refused: 0 };
  for (const { outcome } of records) counts[outcome] += 1;
  return counts;
}

function isAllRefused({ counts }: RecordsImported): boolean {
  return Object.values(counts).every((each) => each.taken + each.already_there === 0);
}
