import { routes } from '@annals/contracts';
import { CONFIG } from '@annals/runtime';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { type Call, STREAMED } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { baseUrlOf } from '../http/resource-metadata.js';
import { RESOURCE_METADATA_PATHS } from '../http/route-table.js';
import { checkSource, listAllowedHosts } from './check-source.js';
import { McpEndpoint } from './mcp-endpoint.js';

@Controller()
export class McpController {
  private readonly allowedHosts: readonly string[] | null;

  constructor(
    @Inject(McpEndpoint) private readonly endpoint: McpEndpoint,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {
    this.allowedHosts = listAllowedHosts(config);
  }

  @Endpoint(routes.callMcp)
  async callMcp(call: Call<typeof routes.callMcp>): Promise<typeof STREAMED> {
    const { request, reply } = call.raw;
    checkSource({ host: request.host, origin: request.headers.origin }, this.allowedHosts);
    reply.send(await this.endpoint.answer(call));
    return STREAMED;
  }

  /** What an OAuth client has to know of `/mcp` (RFC 9728). */
  @Get([...RESOURCE_METADATA_PATHS])
  sendMetadata(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const base = baseUrlOf(request);
    const { authorizationServers } = this.config.mcp;
    reply.send({
      resource: `${base}${routes.callMcp.path}`,
      resource_name: 'Annals',
      ...(authorizationServers ? { authorization_servers: authorizationServers } : {}),
      bearer_methods_supported: ['header'],
      scopes_supported: routes.callMcp.scopes,
      ...(this.config.http.docs ? { resource_documentation: `${base}/docs` } : {}),
    });
  }
}
