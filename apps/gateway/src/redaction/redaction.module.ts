import { Module } from '@nestjs/common';
import { Redactors } from './redactors.js';

/** How each tenant's texts and ids are redacted. */
@Module({ providers: [Redactors], exports: [Redactors] })
export class RedactionModule {}
