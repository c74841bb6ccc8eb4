import { packSized } from '@annals/state-delta';
import {
  type BatchSaver,
  type SavedBatch,
  savedNothing,
  type StateToSave,
  toHeadBody,
  toPlaceBody,
  type WritesToSave,
} from './batch.js';

/** As much of `pg` as is needed: a pool, or a client that is connected. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** What the function refuses for its content, of whatever item. The route of each says which one it is. */
const REFUSED = /^22/;
/** The login has no right to save, or the schema has no function for it. */
const NOT_ALLOWED = new Set(['42501', '42883', '3F000']);

/**
 * Saves by a function of the database of Annals, without a gateway in between (docs/reference/langgraph.md#saving-directly).
 * When the database cannot be reached, or it is not known what it has saved, `otherwise` saves what it can: saving
 * again changes nothing. Rejects when the login is not allowed to save.
 */
export function saveDirectly(postgres: PostgresClient, otherwise: BatchSaver): BatchSaver {
  return {
    takesWhole: true,
    save: async (states, writes) => {
      const batch = { checkpoints: states.map(toCheckpoint), writes: writes.map(toTask) };
      try {
        const { rows } = await postgres.query('SELECT annals.save_langgraph($1) AS saved', [JSON.stringify(batch)]);
        return (rows[0] as { saved: SavedBatch }).saved;
      } catch (error) {
        const code = codeOf(error);
        if (code !== undefined && NOT_ALLOWED.has(code)) throw notAllowed(error);
        if (code !== undefined && REFUSED.test(code)) return savedNothing(states, writes);
        return saveOtherwise(otherwise, states, writes);
      }
    },
  };
}

/** Whole states are not saved: the caller sends them by their own route. */
async function saveOtherwise(
  saver: BatchSaver,
  states: readonly StateToSave[],
  writes: readonly WritesToSave[],
): Promise<SavedBatch> {
  const deltas = states.filter(({ isWhole }) => !isWhole);
  if (deltas.length + writes.length === 0) return savedNothing(states, writes);
  const saved = await saver.save(deltas, writes);
  const checkpoints = states.map((state) => (state.isWhole ? null : saved.checkpoints[deltas.indexOf(state)]!));
  return { ...saved, checkpoints };
}

const VERSION = /^(.+)\.(\d+)\.(\d+)$/;

function toCheckpoint({ base, isWhole, body, bytes, ...head }: StateToSave) {
  const [, key, seq, baseBytes] = VERSION.exec(base) ?? [];
  return {
    replayed_channels: [],
    ...toHeadBody(head),
    base_key: key,
    base_seq: Number(seq),
    base_bytes: Number(baseBytes),
    is_whole: isWhole,
    bytes,
    body: packSized(body).toString('base64'),
  };
}

function toTask({ taskId, taskPath, writes, ...place }: WritesToSave) {
  const packed = writes.map(({ value, ...write }) => ({
    ...write,
    body: packSized(Buffer.from(value, 'utf8')).toString('base64'),
  }));
  return { ...toPlaceBody(place), task_id: taskId, task_path: taskPath, writes: packed };
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

function notAllowed(cause: unknown): Error {
  const message =
    'This login of PostgreSQL may not save checkpoints: add it with annals.add_langgraph_login, or leave out the option postgres.';
  return new Error(message, { cause });
}
