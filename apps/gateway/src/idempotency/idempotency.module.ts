import { Module } from '@nestjs/common';
import { IdempotentWrites } from './idempotent-writes.js';

/** Writes that take effect once per Idempotency-Key. */
@Module({ providers: [IdempotentWrites], exports: [IdempotentWrites] })
export class IdempotencyModule {}
