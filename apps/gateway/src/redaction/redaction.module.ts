import { Redactors } from '@annals/runtime';
import { Module } from '@nestjs/common';
import { KnownUserForms } from './known-users.js';

/** How each tenant's texts and ids are redacted. */
@Module({ providers: [Redactors, KnownUserForms], exports: [Redactors, KnownUserForms] })
export class RedactionModule {}
