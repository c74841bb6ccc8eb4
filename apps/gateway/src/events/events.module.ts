import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EventLog } from './event-log.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { RefusalAudit } from './refusal-audit.js';

/** Operational events: recorded in the background, listed and counted. */
@Module({
  imports: [AuthModule],
  controllers: [EventsController],
  providers: [EventsService, EventLog, RefusalAudit],
  exports: [EventLog, RefusalAudit],
})
export class EventsModule {}
