import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { McpController } from './mcp.controller.js';
import { McpEndpoint } from './mcp-endpoint.js';

/** Memory as tools of the Model Context Protocol, at `/mcp` (docs/mcp.md). */
@Module({ imports: [AuthModule], controllers: [McpController], providers: [McpEndpoint] })
export class McpModule {}
