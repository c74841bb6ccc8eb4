import { AnnalsApi } from './generated/annals-api.js';
import type { Batch } from './generated/types.js';
import { type AnnalsOptions, readOptions } from './http/options.js';
import { Transport } from './http/transport.js';
import { SYSTEM } from './system.js';
import { type Receipt, waitUntilRemembered, type WaitOptions } from './waiting/wait-until-remembered.js';

/** A client of the REST API of Annals. It holds no connection and needs no end. */
export class Annals extends AnnalsApi {
  private readonly transport: Transport;

  constructor(options: AnnalsOptions) {
    const transport = new Transport(readOptions(options), SYSTEM);
    super(transport);
    this.transport = transport;
  }

  /**
   * Waits until what was posted is remembered: until its batches are done, which are returned. Throws a
   * `BatchFailedError` when one has failed, and a `TimeoutError` after `timeoutMs`.
   */
  waitUntilRemembered(receipt: Receipt, options: WaitOptions = {}): Promise<Batch[]> {
    return waitUntilRemembered(this.transport, receipt, options);
  }
}
