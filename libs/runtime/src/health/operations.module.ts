import type { Health } from '@annals/contracts';
import type { Metrics } from '@annals/observability';
import { Controller, type DynamicModule, Get, HttpStatus, Inject, Module, Req, Res } from '@nestjs/common';
import { METRICS } from '../infrastructure/infrastructure.module.js';
import { describeRefusal, type MetricsAccess, refuseOnServicePort } from './metrics-access.js';
import { Readiness } from './readiness.js';

/** The part of Fastify's reply that is used here. */
interface Reply {
  code(status: number): unknown;
  headers(values: Readonly<Record<string, string>>): unknown;
}

const METRICS_ACCESS = Symbol('MetricsAccess');

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
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(METRICS_ACCESS) private readonly access: MetricsAccess,
  ) {}

  @Get()
  async renderMetrics(
    @Req() request: { readonly headers: { readonly authorization?: string } },
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<string> {
    const refusal = refuseOnServicePort(this.access, request.headers.authorization);
    if (refusal !== null) {
      const { status, headers, body } = describeRefusal(refusal);
      reply.code(status);
      reply.headers(headers);
      return body;
    }
    const { contentType, body } = await this.metrics.render();
    reply.headers({ 'content-type': contentType });
    return body;
  }
}

/** `/health/live`, `/health/ready` and `/metrics`, the same in every service. Added by `startService`. */
@Module({})
export class OperationsModule {
  static forRoot(readiness: Readiness, metrics: MetricsAccess): DynamicModule {
    return {
      module: OperationsModule,
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: Readiness, useValue: readiness },
        { provide: METRICS_ACCESS, useValue: metrics },
      ],
    };
  }
}
