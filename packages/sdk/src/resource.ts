import type { Transport } from './http/transport.js';

/** Methods that belong together. */
export abstract class Resource {
  constructor(protected readonly transport: Transport) {}
}
