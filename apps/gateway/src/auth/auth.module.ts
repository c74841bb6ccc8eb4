import { Module } from '@nestjs/common';
import { AgentCatalog } from './agent-catalog.js';
import { Authenticator } from './authenticator.js';
import { KeyCache } from './key-cache.js';
import { RequestLimits } from './request-limits.js';
import { RouteGuard } from './route-guard.js';

/** Who the caller of a request is, and what its key may see. */
@Module({
  providers: [AgentCatalog, Authenticator, KeyCache, RequestLimits, RouteGuard],
  exports: [AgentCatalog, Authenticator, KeyCache, RequestLimits, RouteGuard],
})
export class AuthModule {}
