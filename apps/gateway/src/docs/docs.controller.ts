import { ProblemError } from '@annals/contracts';
import { CONFIG } from '@annals/runtime';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { buildOpenApi } from './build-open-api.js';
import { PAGE_POLICY, renderPage } from './render-page.js';

/** Version of the API, not of the release. */
export const API_VERSION = '1';

/** Serves the API documentation: `/openapi.json` and `/docs`. */
@Controller()
export class DocsController {
  private rendered: { readonly document: string; readonly page: string } | undefined;

  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {}

  @Get('openapi.json')
  sendDocument(@Res() reply: FastifyReply): void {
    const { document } = this.render();
    reply.type('application/json').send(document);
  }

  @Get('docs')
  sendPage(@Res() reply: FastifyReply): void {
    const { page } = this.render();
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page);
  }

  private render() {
    if (!this.config.http.docs) {
      throw new ProblemError('not_found', 'The documentation is disabled: set ANNALS_DOCS=true to serve it.');
    }
    if (!this.rendered) {
      const document = buildOpenApi(API_VERSION);
      this.rendered = { document: JSON.stringify(document), page: renderPage(document) };
    }
    return this.rendered;
  }
}
