import { ProblemError } from '@annals/contracts';
import { CONFIG } from '@annals/runtime';
import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBearer } from '../auth/key-text.js';
import type { GatewayConfig } from '../config.js';
import { Site } from '../site/site.js';
import { ConsoleSignIn } from './console-sign-in.js';

/** Serves the console: static files, which call this API with the key that a person signs in with. */
@Controller()
export class ConsoleController {
  private readonly site = new Site({ page: 'index.html', path: '/console/', frameAncestors: [] });

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(ConsoleSignIn) private readonly signIn: ConsoleSignIn,
  ) {}

  /** Its files have relative URLs, so that it also works below the path of a proxy. */
  @Get('console')
  async redirect(@Res() reply: FastifyReply): Promise<void> {
    this.assertEnabled();
    await reply.redirect('console/', 308);
  }

  @Get('console/*')
  async sendFile(@Param('*') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertEnabled();
    await this.site.send(name, request, reply);
  }

  /** The token is a bearer token, so that no form of another site can send it. */
  @Post('console/sign-in')
  async exchangeLink(@Req() { headers, ip }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertEnabled();
    const answer = await this.signIn.exchange(parseBearer(headers.authorization), ip);
    reply.header('cache-control', 'no-store').code(201).send(answer);
  }

  private assertEnabled(): void {
    if (this.config.http.console) return;
    throw new ProblemError('not_found', 'The console is disabled: set ANNALS_CONSOLE=true to serve it.');
  }
}
