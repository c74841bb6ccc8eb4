import {
  type LangGraphBatchSaved,
  type LangGraphCheckpoint,
  type LangGraphCheckpointPage,
  type LangGraphCheckpointSaved,
  type LangGraphHistory,
  ProblemError,
  type routes,
} from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import { CLOCK, CONFIG, DATABASE, IDS } from '@annals/runtime';
import {
  type CheckpointHead,
  type Creation,
  type Database,
  type LangGraphBatch,
  loadLangGraphCheckpoint,
  parseVersion,
  readLangGraphHistory,
  RefusedDeltaError,
  saveCheckpointDelta,
  saveCheckpointState,
  saveLangGraphBatch,
  saveLangGraphWrites,
  searchLangGraphCheckpoints,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { type Principal, tenantOf } from '../auth/principal.js';
import { checkpointTooLarge } from '../checkpoints/checkpoint-too-large.js';
import type { GatewayConfig } from '../config.js';
import type { Call } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { toFilterableMetadata } from './filterable-metadata.js';

type PutCall = Call<typeof routes.putLangGraphCheckpoint>;

@Injectable()
export class LangGraphCheckpointsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  async put(call: PutCall): Promise<LangGraphCheckpointSaved> {
    const { body } = call;
    const now = this.clock.now();
    const head: CheckpointHead = {
      threadId: call.params.thread_id,
      checkpointNs: call.query.checkpoint_ns,
      userId: call.access.userId,
      checkpointId: call.params.checkpoint_id,
      parentId: body.parent_id ?? null,
      metadata: toFilterableMetadata(body.metadata),
      replayedChannels: body.replayed_channels ?? [],
      now,
    };
    if (body.delta) return this.putDelta(call, head, body.delta);
    const state = Buffer.from(body.state!, 'utf8');
    this.checkSize('body.state', state.length);
    const saved = await this.database.inTenant(tenantOf(call.caller), (tx) =>
      saveCheckpointState(tx, head, state, this.creationBy(call.caller, now)),
    );
    if (!saved) throw threadOfOtherUser();
    return saved;
  }

  private async putDelta(
    { caller }: PutCall,
    head: CheckpointHead,
    { base, data }: { base: string; data: string },
  ): Promise<LangGraphCheckpointSaved> {
    const delta = {
      base: readBase(base, 'body.delta.base'),
      delta: Buffer.from(data, 'base64'),
      maxBytes: this.config.checkpoints.maxBytes,
    };
    try {
      const saved = await saveCheckpointDelta(this.database, tenantOf(caller), head, delta);
      if (saved) return saved;
    } catch (error) {
      if (!(error instanceof RefusedDeltaError)) throw error;
      throw invalidFields([{ path: 'body.delta.data', message: `${error.message} Send the state instead.` }]);
    }
    throw new ProblemError(
      'version_conflict',
      'body.delta.base is not the last state of the namespace any more, or the state has to be stored whole: send it as ' +
        'body.state.',
    );
  }

  /** Saves what can be saved; the rest is told, and sent again by the routes of its own. */
  async saveBatch({ body, access, caller }: Call<typeof routes.saveLangGraphBatch>): Promise<LangGraphBatchSaved> {
    const { maxBytes } = this.config.checkpoints;
    for (const [index, { writes }] of body.writes.entries()) this.checkSize(`body.writes[${index}]`, sizeOf(writes));
    const batch: LangGraphBatch = {
      checkpoints: body.checkpoints.map((item, index) => ({
        userId: item.user_id,
        threadId: item.thread_id,
        checkpointNs: item.checkpoint_ns,
        checkpointId: item.checkpoint_id,
        parentId: item.parent_id ?? null,
        metadata: toFilterableMetadata(item.metadata),
        replayedChannels: item.replayed_channels ?? [],
        base: readBase(item.delta.base, `body.checkpoints[${index}].delta.base`),
        delta: Buffer.from(item.delta.data, 'base64'),
      })),
      writes: body.writes.map((item) => ({
        userId: item.user_id,
        threadId: item.thread_id,
        checkpointNs: item.checkpoint_ns,
        checkpointId: item.checkpoint_id,
        taskId: item.task_id,
        taskPath: item.task_path,
        writes: item.writes,
      })),
      userId: access.userId,
      maxBytes,
      now: this.clock.now(),
    };
    try {
      const saved = await saveLangGraphBatch(this.database, tenantOf(caller), batch);
      return { checkpoints: [...saved.checkpoints], writes: [...saved.writes] };
    } catch (error) {
      if (!(error instanceof RefusedDeltaError)) throw error;
      const path = `body.checkpoints[${error.place}].delta.data`;
      throw invalidFields([{ path, message: `${error.message} Send that state whole.` }]);
    }
  }

  async putWrites(call: Call<typeof routes.putLangGraphWrites>): Promise<{ writes: number }> {
    const { task_path: taskPath, writes } = call.body;
    this.checkSize('body.writes', sizeOf(writes));
    const task = {
      threadId: call.params.thread_id,
      checkpointNs: call.query.checkpoint_ns,
      userId: call.access.userId,
      checkpointId: call.params.checkpoint_id,
      taskId: call.params.task_id,
      taskPath,
      writes,
    };
    const creation = this.creationBy(call.caller, this.clock.now());
    if (!(await saveLangGraphWrites(this.database, tenantOf(call.caller), task, creation))) throw threadOfOtherUser();
    return { writes: writes.length };
  }

  async get({
    params,
    query,
    access,
    caller,
  }: Call<typeof routes.getLangGraphCheckpoint>): Promise<LangGraphCheckpoint> {
    const loaded = await this.database.readTenantPipelined(tenantOf(caller), (tx) =>
      loadLangGraphCheckpoint(tx, {
        threadId: params.thread_id,
        checkpointNs: query.checkpoint_ns,
        checkpointId: query.checkpoint_id,
        userId: access.userId,
      }),
    );
    if (!loaded)
      throw new ProblemError('not_found', 'The thread has no checkpoint in this namespace, or not this one.');
    return loaded;
  }

  async search({
    body,
    access,
    caller,
  }: Call<typeof routes.searchLangGraphCheckpoints>): Promise<LangGraphCheckpointPage> {
    const metadata = body.metadata && toFilterableMetadata(body.metadata);
    return this.database.readTenantPipelined(tenantOf(caller), (tx) =>
      searchLangGraphCheckpoints(tx, { ...body, metadata, user_id: access.userId }),
    );
  }

  async readHistory({
    params,
    body,
    access,
    caller,
  }: Call<typeof routes.readLangGraphHistory>): Promise<LangGraphHistory> {
    return this.database.readTenantPipelined(tenantOf(caller), (tx) =>
      readLangGraphHistory(tx, {
        threadId: params.thread_id,
        checkpointNs: body.checkpoint_ns,
        checkpointId: body.checkpoint_id,
        channels: body.channels,
        userId: access.userId,
        limit: body.limit,
      }),
    );
  }

  private creationBy({ bindings }: Principal, now: number): Creation {
    return { now, ids: this.ids, mayClaim: bindings.userId === null };
  }

  private checkSize(path: string, bytes: number): void {
    const { maxBytes } = this.config.checkpoints;
    if (bytes > maxBytes) throw checkpointTooLarge(`${path} has ${bytes} bytes`, maxBytes);
  }
}

function sizeOf(writes: readonly { readonly value: string }[]): number {
  return writes.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
}

function readBase(text: string, path: string): NonNullable<ReturnType<typeof parseVersion>> {
  const version = parseVersion(text);
  if (version) return version;
  throw invalidFields([{ path, message: 'Send the version that a checkpoint was saved or read with, unchanged.' }]);
}

function threadOfOtherUser(): ProblemError {
  return new ProblemError(
    'thread_of_other_user',
    'The thread belongs to another user: send that user as body.user_id, or choose another thread_id.',
  );
}
