import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleSignIn } from './console-sign-in.js';

@Module({ imports: [AuthModule], controllers: [ConsoleController], providers: [ConsoleSignIn] })
export class ConsoleModule {}
