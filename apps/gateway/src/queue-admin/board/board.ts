import { createBullBoard } from '@bull-board/api';
import type { AppControllerRoute, BullBoardQueues, IServerAdapter, UIConfig } from '@bull-board/api/typings/app';
import type { WorkQueues } from '@annals/messaging';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { QUEUE_UI_PATH } from '../../http/route-table.js';
import { BoardQueue } from './board-queue.js';
import { renderBoardPage } from './board-page.js';

const require = createRequire(import.meta.url);
const UI_FOLDER = path.dirname(require.resolve('@bull-board/ui/package.json'));

const POLLING_SECONDS = 10;

const UI_CONFIG: UIConfig = {
  boardTitle: 'Annals queues',
  locale: { lng: 'en-US' },
  miscLinks: [
    { text: 'Work: due, deferred, failed', url: `${QUEUE_UI_PATH}/work` },
    { text: 'Log out', url: `${QUEUE_UI_PATH}/logout` },
  ],
  hideDocsLink: true,
  hideRedisDetails: true,
  showWorkers: false,
  showMetrics: false,
  sortQueues: false,
  pollingInterval: { forceInterval: POLLING_SECONDS },
};

/** A request for data of the board, as its router matched it. */
export interface BoardRequest {
  readonly route: BoardRoute;
  readonly query: Record<string, unknown>;
  readonly params: Record<string, unknown>;
}

/** What the board may be asked for. */
export type BoardRoute =
  '/api/queues' | '/api/queues/:queueName/:jobId' | '/api/queues/:queueName/:jobId/logs' | '/api/job-schedulers';

/** Bull Board over the queues, without a web framework: its page, its data and its files. */
export class Board {
  readonly page: string;
  /** Folder of the files that the page loads from `static/`. */
  readonly staticFolder = path.join(UI_FOLDER, 'dist/static');
  private readonly queues: BullBoardQueues;
  private readonly uiConfig: UIConfig;
  private readonly routes: ReadonlyMap<string, AppControllerRoute>;

  constructor(queues: WorkQueues) {
    const adapter = new BoardAdapter();
    createBullBoard({
      queues: Object.values(queues).map((queue) => new BoardQueue(queue)),
      serverAdapter: adapter,
      options: { uiBasePath: UI_FOLDER, uiConfig: UI_CONFIG },
    });
    this.queues = adapter.queues;
    this.uiConfig = adapter.uiConfig;
    const reads = adapter.routes.filter(({ method }) => method === 'get');
    this.routes = new Map(reads.map((each) => [String(each.route), each]));
    this.page = renderBoardPage(readFileSync(path.join(UI_FOLDER, 'dist/index.ejs'), 'utf8'), this.uiConfig);
  }

  async answer({ route, query, params }: BoardRequest): Promise<{ readonly status: number; readonly body: unknown }> {
    const bound = this.routes.get(route);
    if (!bound) throw new Error(`Bull Board has no route ${route} any more.`);
    const { queues, uiConfig } = this;
    const { status = 200, body } = await bound.handler({ queues, uiConfig, query, params, body: {}, headers: {} });
    return { status, body };
  }
}

/** Takes what Bull Board would give to a web framework. */
class BoardAdapter implements IServerAdapter {
  queues: BullBoardQueues = new Map();
  uiConfig: UIConfig = {};
  routes: readonly AppControllerRoute[] = [];

  setQueues(queues: BullBoardQueues) {
    this.queues = queues;
    return this;
  }

  setUIConfig(config: UIConfig) {
    this.uiConfig = config;
    return this;
  }

  setApiRoutes(routes: AppControllerRoute[]) {
    this.routes = routes;
    return this;
  }

  setViewsPath() {
    return this;
  }

  setStaticPath() {
    return this;
  }

  setEntryRoute() {
    return this;
  }

  setErrorHandler() {
    return this;
  }
}
