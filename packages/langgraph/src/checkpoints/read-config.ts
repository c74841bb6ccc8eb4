import type { RunnableConfig } from '@langchain/core/runnables';

/** A checkpoint that a configuration names. */
export interface CheckpointRef {
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string | undefined;
}

/** Undefined when the configuration names no thread. */
export function readConfig(config: RunnableConfig): CheckpointRef | undefined {
  const { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: id, thread_ts: ts } = config.configurable ?? {};
  if (threadId === undefined || threadId === null || threadId === '') return undefined;
  return {
    threadId: String(threadId),
    checkpointNs: textOr(ns, ''),
    checkpointId: textOr(id, undefined) ?? textOr(ts, undefined),
  };
}

/** Throws an Error that says what is missing for a method that writes. */
export function requireThread(config: RunnableConfig, method: string): CheckpointRef {
  const ref = readConfig(config);
  if (ref) return ref;
  throw new Error(
    `${method}: the configuration names no thread. Call the graph with { configurable: { thread_id: '…' } }, so that the ` +
      'saver knows the thread whose state it is.',
  );
}

export function requireCheckpoint(config: RunnableConfig, method: string): CheckpointRef & { checkpointId: string } {
  const ref = requireThread(config, method);
  if (ref.checkpointId !== undefined) return { ...ref, checkpointId: ref.checkpointId };
  throw new Error(`${method}: the configuration names no checkpoint. Give configurable.checkpoint_id.`);
}

export function configOf(threadId: string, checkpointNs: string, checkpointId: string): RunnableConfig {
  return { configurable: { thread_id: threadId, checkpoint_ns: checkpointNs, checkpoint_id: checkpointId } };
}

function textOr<Default>(value: unknown, otherwise: Default): string | Default {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}
