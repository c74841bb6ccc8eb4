import type { Config } from '@annals/config';
import { type Energy, isMindKind, type routes } from '@annals/contracts';
import { type Clock, ENERGY_RESERVE_SHARE } from '@annals/domain';
import { CLOCK, CONFIG, DATABASE, readEnergyLimits } from '@annals/runtime';
import { type Database, pollEnergy } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';

const MILLI = 1_000;

/** The tenant's meter, and what waits for it. */
@Injectable()
export class EnergyService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config<'minds'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read({ caller }: Call<typeof routes.getEnergy>): Promise<Energy> {
    const limits = readEnergyLimits(this.config);
    const { capacity, refillPerHour } = limits;
    const now = this.clock.now();
    const { reading, poll } = await this.database.inTenant(tenantOf(caller), (tx) =>
      pollEnergy(tx, { keyId: caller.keyId, now, limits }),
    );
    const level = reading.levelMilli / MILLI;
    return {
      level,
      capacity,
      percent: Math.round((level * 1_000) / capacity) / 10,
      refill_per_hour: refillPerHour,
      waiting_below: capacity * ENERGY_RESERVE_SHARE,
      today: reading.today.map(({ kind, consumedMilli, calls }) => ({ kind, consumed: consumedMilli / MILLI, calls })),
      since_last_poll: {
        consumed: poll.consumedMilli / MILLI,
        since: poll.since === null ? null : new Date(poll.since).toISOString(),
      },
      waiting: reading.waiting.flatMap(({ kind, reason, count, until }) =>
        isMindKind(kind) ? [{ kind, reason, work: count, until: new Date(until).toISOString() }] : [],
      ),
    };
  }
}
