import type { Health } from '@annals/contracts';
import type { Metrics } from '@annals/observability';
import { Controller, type DynamicModule, Get, HttpStatus, Inject, Module, Res } from '@nestjs/common';
import { METRICS } from '../infrastructure/infrastructure.module.js';
import { Readiness } from './readiness.js';

/** The part of Fastify's reply that is used here. */
interface Reply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
}

@Controller('health')
class HealthController {
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

@Controller('metrics')
class MetricsController {
  constructor(@Inject(METRICS) private readonly metrics: Metrics) {}

  @Get()
  async renderMetrics(@Res({ passthrough: true }) reply: Reply): Promise<string> {
    const { contentType, body } = await this.metrics.render();
    reply.header('content-type', contentType);
    return body;
  }
}

/** `/health/live`, `/health/ready` and `/metrics`, the same in every service. Added by `startService`. */
@Module({})
export class OperationsModule {
  static forRoot(readiness: Readiness): DynamicModule {
    return {
      module: OperationsModule,
      controllers: [HealthController, MetricsController],
      providers: [{ provide: Readiness, useValue: readiness }],
    };
  }
}
