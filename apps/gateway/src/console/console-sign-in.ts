import { type Clock, type IdGenerator, readSystemRandomBytes } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER } from '@annals/runtime';
import { createFullAccessKey, type Database, DEFAULT_TENANT, ensureTenant } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { Authenticator } from '../auth/authenticator.js';
import { createKeyText } from '../auth/key-text.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../config.js';

/** A working day. The next start of the process prints another link. */
const KEY_LIFETIME_MS = 12 * 3_600_000;

/** Exchanges the one-time link of this process for a key. */
@Injectable()
export class ConsoleSignIn {
  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * A key of the default tenant with every scope, operator included, as the one that the process was started with.
   * @throws ProblemError `unauthenticated` for a link that does not exist, was used, or has expired
   */
  async exchange(token: string | null, address: string): Promise<{ readonly key: string }> {
    const key = token === null ? null : await this.options.consoleLinks?.use(token, () => this.makeKey(address));
    if (key) return { key };
    throw await this.authenticator.refuse(
      address,
      'This link was used already, or has expired. Sign in with an API key.',
      { reason: token === null ? 'missing' : 'unknown' },
    );
  }

  private async makeKey(address: string): Promise<string> {
    const [key, id, now] = [createKeyText(readSystemRandomBytes), this.ids.next(), this.clock.now()];
    const tenantId = await ensureTenant(this.database, DEFAULT_TENANT, { ids: this.ids, now });
    await this.database.inTenant(tenantId, (tx) =>
      createFullAccessKey(tx, {
        id,
        name: 'console, by the link of npm start',
        text: key,
        operator: true,
        expiresAt: now + KEY_LIFETIME_MS,
        now,
      }),
    );
    this.logger.info('console_link_used', { tenantId, keyId: id, address });
    return key;
  }
}
