import type { Clock } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, LOGGER } from '@annals/runtime';
import { type Database, purgeIdempotencyKeys } from '@annals/storage';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Decision 40. */
export const KEPT_MS = 24 * 60 * 60 * 1_000;
const PURGE_EVERY_MS = 60 * 60 * 1_000;

/** Forgets kept answers after a day. Several gateways may do so side by side. */
@Injectable()
export class IdempotencyPurge implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.purge(), PURGE_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Answers how many were forgotten. A failure is made up for by the next round. */
  async purge(): Promise<number> {
    try {
      return await purgeIdempotencyKeys(this.database, this.clock.now() - KEPT_MS);
    } catch (error) {
      this.logger.warn('database_unavailable', { error });
      return 0;
    }
  }
}
