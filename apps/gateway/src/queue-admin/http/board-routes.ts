import { INFRASTRUCTURE, type Infrastructure } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { QUEUE_UI_PATH } from '../../http/route-table.js';
import type { Board, BoardRoute } from '../board/board.js';
import { BOARD_POLICY, BOARD_STYLE_PATH } from '../board/board-page.js';
import { readStaticFile } from '../board/static-files.js';
import { BOARD_STYLE } from '../pages/style.js';
import { pageNotFound } from './page-error.js';
import { sendPage } from './send-page.js';

/** Pages of Bull Board: its script shows what the address names. */
const PAGES = ['', '/', '/queue/:queueName', '/queue/:queueName/:jobId'];
/** What its script may ask for: all of it reads. Whatever else Bull Board has is not served. */
const DATA: readonly BoardRoute[] = [
  '/api/queues',
  '/api/queues/:queueName/:jobId',
  '/api/queues/:queueName/:jobId/logs',
  '/api/job-schedulers',
];
/** Names of its files change with their contents, so the operator's browser may keep them. */
const KEPT = 'private, max-age=31536000, immutable';

/** Bull Board, which is loaded when it is asked for the first time. */
@Injectable()
export class BoardRoutes {
  private board: Promise<Board> | undefined;

  constructor(@Inject(INFRASTRUCTURE) private readonly infrastructure: Pick<Infrastructure, 'queues'>) {}

  register(scope: FastifyInstance): void {
    for (const page of PAGES) scope.get(QUEUE_UI_PATH + page, (_request, reply) => this.sendPage(reply));
    for (const route of DATA)
      scope.get(QUEUE_UI_PATH + route, (request, reply) => this.sendData(route, request, reply));
    // Jobs of Annals are in no flow.
    scope.get(`${QUEUE_UI_PATH}/api/queues/:queueName/:jobId/flow`, (request, reply) => {
      const { jobId } = request.params as { jobId: string };
      return reply.send({ nodeId: jobId, flowRoot: null, isFlowNode: false });
    });
    scope.get(BOARD_STYLE_PATH, (_request, reply) => reply.type('text/css; charset=utf-8').send(BOARD_STYLE));
    scope.get(`${QUEUE_UI_PATH}/static/*`, (request, reply) => this.sendFile(request, reply));
  }

  private async sendPage(reply: FastifyReply): Promise<unknown> {
    return sendPage(reply, (await this.open()).page, 200, BOARD_POLICY);
  }

  private async sendData(route: BoardRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const board = await this.open();
    const query = request.query as Record<string, unknown>;
    const { status, body } = await board.answer({ route, query, params: request.params as Record<string, unknown> });
    return reply.code(status).send(body);
  }

  private async sendFile(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { staticFolder } = await this.open();
    const file = await readStaticFile(staticFolder, (request.params as { '*': string })['*']);
    if (file === null) throw pageNotFound();
    return reply.header('cache-control', KEPT).type(file.type).send(file.content);
  }

  private open(): Promise<Board> {
    if (!this.board) {
      this.board = import('../board/board.js').then(({ Board: Opened }) => new Opened(this.infrastructure.queues));
      this.board.catch(() => (this.board = undefined));
    }
    return this.board;
  }
}
