import type { Health } from '@annals/contracts';
import { Controller, Get, HttpStatus, Inject, Res } from '@nestjs/common';
import { Public } from './public-route.js';
import { Readiness } from './readiness.js';

/** The part of Fastify's reply that is used here. */
interface Reply {
  code(status: number): unknown;
}

@Public()
@Controller('health')
export class HealthController {
  constructor(@Inject(Readiness) private readonly readiness: Readiness) {}

  @Get('live')
  checkLiveness(): Health {
    return { status: 'ok', checks: [] };
  }

  @Get('ready')
  async checkReadiness(@Res({ passthrough: true }) reply: Reply): Promise<Health> {
    const health = await this.readiness.check();
    reply.code(health.status === 'ok' ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return health;
  }
}
