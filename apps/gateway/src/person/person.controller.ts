import { routes } from '@annals/contracts';
import { CONFIG } from '@annals/runtime';
import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBearer } from '../auth/key-text.js';
import type { GatewayConfig } from '../config.js';
import type { Call } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { Site } from '../site/site.js';
import { PersonLinksService } from './person-links.service.js';

/** The page on which a person sees and corrects what is remembered about them, and the links to it. */
@Controller()
export class PersonController {
  private readonly site: Site;

  constructor(
    @Inject(CONFIG) { personPage }: GatewayConfig,
    @Inject(PersonLinksService) private readonly links: PersonLinksService,
  ) {
    const frameAncestors = (personPage.frameAncestors ?? []).map((url) => new URL(url).origin);
    this.site = new Site({ page: 'me.html', path: '/me/', frameAncestors });
  }

  @Endpoint(routes.createPersonLink)
  async createPersonLink(call: Call<typeof routes.createPersonLink>) {
    return this.links.create(call);
  }

  @Endpoint(routes.revokePersonLinks)
  async revokePersonLinks(call: Call<typeof routes.revokePersonLinks>) {
    return this.links.revoke(call);
  }

  @Get('me')
  async redirect(@Res() reply: FastifyReply): Promise<void> {
    await reply.redirect('me/', 308);
  }

  @Get('me/*')
  async sendFile(@Param('*') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.site.send(name, request, reply);
  }

  /** The token is a bearer token, so that no form of another site can send it. */
  @Post('me/sign-in')
  async exchangeLink(@Req() { headers, ip }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.links.exchange(parseBearer(headers.authorization), ip);
    reply.header('cache-control', 'no-store').code(201).send(answer);
  }
}
