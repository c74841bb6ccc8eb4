import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UsersController } from './users.controller.js';

/** Users of a tenant, and the categories of their memories. */
@Module({ imports: [AuthModule], controllers: [UsersController] })
export class UsersModule {}
