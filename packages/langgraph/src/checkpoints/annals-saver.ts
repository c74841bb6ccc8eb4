import { type Annals, type AnnalsOptions, type LangGraphCheckpoint, NotFoundError } from '@annals/sdk';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import { createClient } from '../client/create-client.js';
import { composeState, needsParent, replayedChannels } from './compose-state.js';
import { readDeltaHistory } from './delta-history.js';
import { type CheckpointRef, configOf, readConfig, requireCheckpoint, requireThread } from './read-config.js';
import { needsSentTasks, readTuple, type StoredTuple } from './read-tuple.js';
import { type PostgresClient, saveDirectly } from './save-directly.js';
import { saveOverRest } from './save-over-rest.js';
import { SaveQueue } from './save-queue.js';
import { saveState } from './save-state.js';
import { type CachedState, StateCache } from './state-cache.js';
import { decodeState, encodeState, type StoredState } from './state-text.js';
import { serialize } from './typed-text.js';

export interface AnnalsSaverOptions {
  /** Whose thread a configuration is. Default: `configurable.user_id`. A thread without a user has one of its own. */
  readonly user?: string | ((config: RunnableConfig) => string | undefined);
  readonly serde?: SerializerProtocol;
  /** Bytes of last states that are remembered, so that only changes are sent. Default: 32 MB. 0: none. */
  readonly cacheBytes?: number;
  /**
   * A pool of `pg` with a login that may save checkpoints of the key's tenant (docs/reference/langgraph.md#saving-directly).
   * Checkpoints behind known ones and writes go to the database without a gateway in between, everything else by REST.
   */
  readonly postgres?: PostgresClient;
}

export type PruneStrategy = 'keep_latest' | 'delete';

const CACHE_BYTES = 32_000_000;
/** Pages of a list begin small: the caller may need no more. */
const FIRST_PAGE = 10;
const PAGE = 50;

/**
 * A checkpoint saver of LangGraph on Annals. What it stores of a thread is stored, exported and erased with the thread's
 * user (docs/reference/langgraph.md). Errors are those of `@annals/sdk`; requests that failed in passing were repeated.
 */
export class AnnalsSaver extends BaseCheckpointSaver {
  private readonly annals: Annals;
  private readonly queue: SaveQueue;
  private readonly cache: StateCache;
  private readonly userOf: (config: RunnableConfig) => string | undefined;

  constructor(
    connection: AnnalsOptions | Annals,
    { user, serde, cacheBytes = CACHE_BYTES, postgres }: AnnalsSaverOptions = {},
  ) {
    super(serde);
    this.annals = 'baseUrl' in connection ? createClient(connection) : connection;
    const overRest = saveOverRest(this.annals);
    this.queue = new SaveQueue(postgres ? saveDirectly(postgres, overRest) : overRest);
    this.cache = new StateCache(cacheBytes);
    this.userOf = typeof user === 'function' ? user : (config) => user ?? userOfConfig(config);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const ref = readConfig(config);
    const found = ref && (await this.load(ref));
    return found && this.read(found);
  }

  override async *list(
    config: RunnableConfig,
    { limit, before, filter }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const ref = readConfig(config);
    const ns: unknown = config.configurable?.['checkpoint_ns'];
    const beforeId: unknown = before?.configurable?.['checkpoint_id'];
    const search = {
      ...(ref ? { thread_id: ref.threadId } : {}),
      ...(typeof ns === 'string' ? { checkpoint_ns: ns } : {}),
      ...(ref?.checkpointId === undefined ? {} : { checkpoint_id: ref.checkpointId }),
      ...(typeof beforeId === 'string' ? { before: beforeId } : {}),
      ...(filter && Object.keys(filter).length > 0 ? { metadata: filter as Record<string, unknown> } : {}),
    };
    let left = limit ?? Infinity;
    let cursor: string | undefined;
    for (let size = FIRST_PAGE; left > 0; size = PAGE) {
      const page = await this.annals.langgraph.checkpoints.search({
        ...search,
        limit: Math.min(left, size),
        ...(cursor === undefined ? {} : { cursor }),
      });
      left -= page.items.length;
      for (const stored of page.items) {
        const threadId = ref?.threadId ?? stored.thread_id;
        yield await this.read({ stored, state: decodeState(stored.state), threadId });
      }
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, checkpointNs, checkpointId: parentId } = requireThread(config, 'put');
    const input = { checkpoint, metadata, newVersions, hasParent: parentId !== undefined };
    const key = keyOf(threadId, checkpointNs);
    const last = this.cache.get(key);
    const parent = await this.findParent({ threadId, checkpointNs, checkpointId: parentId }, last, needsParent(input));
    const state = await composeState(this.serde, input, parent);
    const text = encodeState(state);
    const bytes = Buffer.from(text, 'utf8');
    const head = {
      user: this.userOf(config),
      threadId,
      checkpointNs,
      checkpointId: checkpoint.id,
      parentId,
      metadata: filterableOf(state),
      replayedChannels: replayedChannels(metadata, state),
    };
    const { version, takes_delta: takesDelta } = await saveState(
      { queue: this.queue, annals: this.annals },
      last,
      head,
      { text, bytes },
    );
    this.cache.set(key, { checkpointId: checkpoint.id, state, bytes, version, takesDelta });
    return configOf(threadId, checkpointNs, checkpoint.id);
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const { threadId, checkpointNs, checkpointId } = requireCheckpoint(config, 'putWrites');
    const user = this.userOf(config);
    const sent = await Promise.all(
      writes.map(async ([channel, value], index) => {
        const { type, text } = await serialize(this.serde, value);
        return { idx: indexOf(channel, index), channel, type, value: text };
      }),
    );
    if (await this.queue.saveWrites({ user, threadId, checkpointNs, checkpointId, taskId, taskPath, writes: sent }))
      return;
    const body = { ...(user === undefined ? {} : { user_id: user }), task_path: taskPath, writes: sent };
    await this.annals.langgraph.threads.putWrites(threadId, checkpointId, taskId, body, {
      checkpoint_ns: checkpointNs,
    });
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.annals.langgraph.threads.delete(threadId);
  }

  /** Deletes threads, or their checkpoints but the newest ones and those that a channel of these is made from. */
  async prune(
    threadIds: readonly string[],
    { strategy = 'keep_latest' }: { strategy?: PruneStrategy } = {},
  ): Promise<void> {
    await Promise.all(
      chunksOf(threadIds).map((ids) => this.annals.langgraph.threads.prune({ thread_ids: ids, strategy })),
    );
  }

  /** Copies a thread with all its checkpoints to one that does not exist yet. */
  async copyThread(sourceThreadId: string, targetThreadId: string): Promise<void> {
    await this.annals.langgraph.threads.copy(sourceThreadId, { thread_id: targetThreadId });
  }

  override async getDeltaChannelHistory({
    config,
    channels,
  }: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const ref = readConfig(config);
    if (!ref || channels.length === 0) return Object.fromEntries(channels.map((name) => [name, { writes: [] }]));
    const checkpointId = ref.checkpointId ?? (await this.load(ref))?.stored.checkpoint_id;
    return readDeltaHistory(this.annals, this.serde, { ...ref, checkpointId }, channels);
  }

  private async load(ref: CheckpointRef): Promise<StoredTuple | undefined> {
    const { threadId, checkpointNs, checkpointId } = ref;
    let stored: LangGraphCheckpoint;
    try {
      stored = await this.annals.langgraph.threads.getCheckpoint(threadId, {
        checkpoint_ns: checkpointNs,
        ...(checkpointId === undefined ? {} : { checkpoint_id: checkpointId }),
      });
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
    const state = decodeState(stored.state);
    const { version, takes_delta: takesDelta, checkpoint_id: id } = stored;
    const key = keyOf(threadId, checkpointNs);
    // An earlier checkpoint that is read must not hide that the last one is known.
    if (takesDelta || this.cache.get(key) === undefined)
      this.cache.set(key, {
        checkpointId: id,
        state,
        bytes: Buffer.from(stored.state, 'utf8'),
        version,
        takesDelta,
      });
    return { stored, state, threadId };
  }

  private async read(found: StoredTuple): Promise<CheckpointTuple> {
    if (!needsSentTasks(found)) return readTuple(this.serde, found);
    const { threadId, stored } = found;
    const parent = await this.load({
      threadId,
      checkpointNs: stored.checkpoint_ns,
      checkpointId: stored.parent_id!,
    });
    return readTuple(this.serde, found, parent?.stored.writes);
  }

  /** The parent's state: from the cache, or if it is needed from the server. */
  private async findParent(
    ref: CheckpointRef,
    last: CachedState | undefined,
    isNeeded: boolean,
  ): Promise<StoredState | undefined> {
    if (ref.checkpointId === undefined) return undefined;
    if (last?.checkpointId === ref.checkpointId) return last.state;
    return isNeeded ? (await this.load(ref))?.state : undefined;
  }
}

/** Errors and interrupts have places of their own, negative ones; a later one replaces an earlier one. */
function indexOf(channel: string, index: number): number {
  return Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel]! : index;
}

const MAX_PRUNED_AT_ONCE = 100;

function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let at = 0; at < ids.length; at += MAX_PRUNED_AT_ONCE) chunks.push(ids.slice(at, at + MAX_PRUNED_AT_ONCE));
  return chunks;
}

function keyOf(threadId: string, checkpointNs: string): string {
  return JSON.stringify([threadId, checkpointNs]);
}

function userOfConfig({ configurable }: RunnableConfig): string | undefined {
  const user: unknown = configurable?.['user_id'];
  return typeof user === 'string' && user !== '' ? user : undefined;
}

/** The metadata that filters look at: as the serializer wrote it, if that is JSON. */
function filterableOf({ metadata: { type, text } }: StoredState): Record<string, unknown> {
  return type === 'json' ? (JSON.parse(text) as Record<string, unknown>) : {};
}
