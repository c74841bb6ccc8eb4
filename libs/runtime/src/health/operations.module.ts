import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { Readiness } from './readiness.js';

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
