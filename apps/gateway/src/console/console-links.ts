import type { Clock } from '@annals/domain';
import { createHash, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;
/** So long as somebody needs to see the line in the terminal and to click on it, with a coffee in between. */
const LIFETIME_MS = 3_600_000;

/**
 * The one-time link with which the person who starts a process opens its console, in the memory of that process: only a
 * hash of its token, and only until it is used, another one is issued, or an hour has passed.
 */
export class ConsoleLinks {
  private issued: { readonly hash: Buffer; readonly expiresAt: number } | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly randomBytes: (size: number) => Uint8Array,
  ) {}

  /** The path of a new link, from `/console/` on. The token is in its fragment, which browsers send to nobody. */
  issue(): string {
    const token = Buffer.from(this.randomBytes(TOKEN_BYTES)).toString('base64url');
    this.issued = { hash: hash(token), expiresAt: this.clock.now() + LIFETIME_MS };
    return `/console/#/start/${token}`;
  }

  /**
   * Runs `work` for whoever has the link, once: it is used up unless `work` fails. Null when the link is unknown, used,
   * being used, or over.
   */
  async use<T>(token: string, work: () => Promise<T>): Promise<T | null> {
    const { issued } = this;
    if (!issued || issued.expiresAt <= this.clock.now()) return null;
    if (!timingSafeEqual(issued.hash, hash(token))) return null;
    this.issued = null;
    try {
      return await work();
    } catch (error) {
      this.issued ??= issued;
      throw error;
    }
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
