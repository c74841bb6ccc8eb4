import type { Metrics } from '@annals/observability';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { METRICS } from '../infrastructure/tokens.js';
import { Public } from './public-route.js';

/** The part of Fastify's reply that is used here. */
interface Reply {
  header(name: string, value: string): unknown;
}

@Public()
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(METRICS) private readonly metrics: Metrics) {}

  @Get()
  async renderMetrics(@Res({ passthrough: true }) reply: Reply): Promise<string> {
    const { contentType, body } = await this.metrics.render();
    reply.header('content-type', contentType);
    return body;
  }
}
