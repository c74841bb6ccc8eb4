import { ProblemError } from '@annals/contracts';
import { CONFIG } from '@annals/runtime';
import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { readFile } from 'node:fs/promises';
import type { GatewayConfig } from '../config.js';
import { buildOpenApi } from './build-open-api.js';
import { PAGE, PAGE_ASSETS, PAGE_POLICY, PAGE_VERSION, START_SCRIPT } from './docs-page.js';

/** Version of the API, not of the release. */
const API_VERSION = '1';

/** Serves the API documentation: `/openapi.json`, and `/docs` with its assets. */
@Controller()
export class DocsController {
  private document: string | undefined;
  /** Read once: callers without a key must not cause reads of files. */
  private readonly contents = new Map<string, Promise<Buffer>>();

  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {}

  @Get('openapi.json')
  sendDocument(@Res() reply: FastifyReply): void {
    this.assertEnabled();
    this.document ??= JSON.stringify(buildOpenApi(API_VERSION));
    reply.type('application/json').send(this.document);
  }

  @Get('docs')
  sendPage(@Res() reply: FastifyReply): void {
    this.assertEnabled();
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(PAGE);
  }

  @Get('docs/start.js')
  sendStartScript(@Res() reply: FastifyReply): void {
    this.assertEnabled();
    reply.type('text/javascript; charset=utf-8').send(START_SCRIPT);
  }

  @Get('docs/:asset')
  async sendAsset(
    @Param('asset') name: string,
    @Query('v') version: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.assertEnabled();
    const asset = PAGE_ASSETS.get(name);
    if (!asset) throw new ProblemError('not_found', 'This path does not exist. See /docs for all routes.');
    const content = await this.readOnce(asset.file);
    // During an upgrade, a page of the next release may ask this one for a version that it does not have.
    if (version === PAGE_VERSION) reply.header('cache-control', 'public, max-age=31536000, immutable');
    reply.type(asset.type).send(content);
  }

  private readOnce(file: string): Promise<Buffer> {
    let content = this.contents.get(file);
    if (!content) {
      content = readFile(file);
      this.contents.set(file, content);
      content.catch(() => this.contents.delete(file));
    }
    return content;
  }

  private assertEnabled(): void {
    if (!this.config.http.docs) {
      throw new ProblemError('not_found', 'The documentation is disabled: set ANNALS_DOCS=true to serve it.');
    }
  }
}
