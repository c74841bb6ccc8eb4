import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/**
 * Ends the connection of a checked-out client when nothing was sent or received for `silenceMs`; 0 switches it off.
 * PostgreSQL ends its statements itself, so a server that stays silent for longer is frozen, or cut off by a network that
 * drops packets: without this, its callers would wait until TCP gives up, a quarter of an hour later.
 */
export function limitSilence(client: PoolClient, silenceMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Partial<Socket> } }).connection;
  // The stream of the embedded database has no clock.
  if (!stream.setTimeout || !stream.off) return;
  stream.setTimeout(silenceMs);
  stream.off('timeout', endSilence);
  if (silenceMs > 0) stream.on!('timeout', endSilence);
}

/** Nothing was received for as long as a statement may take, and some seconds more. */
export class SilentConnectionError extends Error {
  constructor() {
    super('Connection terminated: PostgreSQL did not answer.');
    this.name = 'SilentConnectionError';
  }
}

function endSilence(this: Socket): void {
  this.destroy(new SilentConnectionError());
}
