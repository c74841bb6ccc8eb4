import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import type { Database } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { QUEUE_UI_PATH } from '../../http/route-table.js';
import { readWorkOverview } from '../../work/read-work-overview.js';
import { type ActionOutcome, QueueActions } from '../actions/queue-actions.js';
import { parseKind, parseSubject, SUBJECT_PATH, type SubjectOfWork } from '../actions/subject-of-work.js';
import { renderSubjectPage } from '../pages/subject-page.js';
import { renderWorkPage } from '../pages/work-page.js';
import { OperatorSessions } from '../session/operator-sessions.js';
import { pageNotFound } from './page-error.js';
import { sendPage } from './send-page.js';
import { sessionOf } from './session-guard.js';

const WORK_PATH = `${QUEUE_UI_PATH}/work`;

/** What a page says after a redirect: only these texts, since an address can hold anything. */
const MESSAGES: Readonly<Record<string, string>> = {
  retry_done: 'The work was replayed and runs again.',
  promote_done: 'The work is due now.',
  moved_on: 'Nothing was changed: the work has moved on since the page was loaded. This is where it is now.',
  not_found: 'Nothing was changed: there is no such work any more.',
};

const formSchema = z.object({ generation: z.coerce.number().int().min(1) });
const overviewQuerySchema = z.object({ retried: z.coerce.number().int().min(0) });

/** The pages about work, and the two actions on it. */
@Injectable()
export class WorkRoutes {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(QueueActions) private readonly actions: QueueActions,
    @Inject(OperatorSessions) private readonly sessions: OperatorSessions,
  ) {}

  register(scope: FastifyInstance): void {
    scope.get(WORK_PATH, (request, reply) => this.sendOverview(request, reply));
    scope.post(`${WORK_PATH}/:kind/retry-failed`, (request, reply) => this.retryFailed(request, reply));
    scope.get(SUBJECT_PATH, (request, reply) => this.sendSubject(request, reply));
    scope.post(`${SUBJECT_PATH}/retry`, (request, reply) => this.act(request, reply, 'retry'));
    scope.post(`${SUBJECT_PATH}/promote`, (request, reply) => this.act(request, reply, 'promote'));
  }

  private async sendOverview(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const kinds = await readWorkOverview(this.database, this.clock);
    const { data } = overviewQuerySchema.safeParse(request.query);
    const message = data ? `${data.retried} failed jobs were replayed and run again.` : null;
    return sendPage(reply, renderWorkPage({ kinds, token: this.tokenOf(request), message }));
  }

  private async retryFailed(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const kind = parseKind(request.params);
    if (kind === null) throw pageNotFound();
    const retried = await this.actions.retryFailed(kind, sessionOf(request));
    return reply.redirect(`${WORK_PATH}?retried=${retried}`, 303);
  }

  private async sendSubject(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const subject = subjectOfRequest(request);
    const standing = await this.actions.readStanding(subject);
    const job = standing && (await this.actions.findJob(subject, standing));
    const { did = '' } = request.query as Record<string, string>;
    const message = Object.hasOwn(MESSAGES, did) ? MESSAGES[did]! : null;
    return sendPage(reply, renderSubjectPage({ subject, standing, job, token: this.tokenOf(request), message }));
  }

  private async act(request: FastifyRequest, reply: FastifyReply, action: 'retry' | 'promote'): Promise<unknown> {
    const subject = subjectOfRequest(request);
    const { data } = formSchema.safeParse(request.body);
    if (!data) throw pageNotFound();
    const outcome = await this.actions[action](subject, data.generation, sessionOf(request));
    return reply.redirect(`${subject.path}?did=${messageOf(action, outcome)}`, 303);
  }

  private tokenOf(request: FastifyRequest): string {
    return this.sessions.formToken(sessionOf(request));
  }
}

function messageOf(action: 'retry' | 'promote', outcome: ActionOutcome): string {
  return outcome === 'done' ? `${action}_done` : outcome;
}

function subjectOfRequest(request: FastifyRequest): SubjectOfWork {
  const subject = parseSubject(request.params);
  if (subject === null) throw pageNotFound();
  return subject;
}
