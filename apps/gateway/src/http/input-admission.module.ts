import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { RedactionModule } from '../redaction/redaction.module.js';
import { InputAdmission } from './input-admission.js';

@Module({ imports: [AuthModule, RedactionModule], providers: [InputAdmission], exports: [InputAdmission] })
export class InputAdmissionModule {}
