import { chatModelsSchema, ProblemError, type routes } from '@annals/contracts';
import type { ChatAnswer } from '@annals/llm-core';
import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { json as readJson } from 'node:stream/consumers';
import { type AnswerOf, type Call, STREAMED } from '../http/call.js';
import { ChatUpstreams } from './chat-upstreams.js';
import { relayAnswer } from './relay-answer.js';

type ModelsCall = Call<typeof routes.listChatModels>;

const TIMEOUT_MS = 30_000;

/** The models of all upstreams that a request has a key for. */
@Injectable()
export class ChatModels {
  constructor(@Inject(ChatUpstreams) private readonly upstreams: ChatUpstreams) {}

  /** An upstream's error is passed on when no upstream has an answer. */
  async list({ raw }: ModelsCall): Promise<AnswerOf<typeof routes.listChatModels> | typeof STREAMED> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const chosen = this.upstreams.list(raw.request.headers);
    const answers = await Promise.all(
      chosen.map(({ upstream, apiKey }) => upstream.listModels({ apiKey, signal }).catch(() => null)),
    );
    const lists = await Promise.all(answers.map(readModels));
    const data = lists.flatMap((list) => list?.data ?? []);
    if (lists.some((list) => list !== null)) return { status: 200, body: { object: 'list', data } };
    const failed = answers.find((answer) => answer !== null && answer.status >= 400);
    if (!failed)
      throw new ProblemError('upstream_unreachable', 'No upstream answered with its models. Send the request again.');
    await relayAnswer(failed, { reply: raw.reply, headers: {}, beforeEnd: async () => undefined, signal });
    return STREAMED;
  }
}

async function readModels(answer: ChatAnswer | null): Promise<AnswerOf<typeof routes.listChatModels>['body'] | null> {
  if (answer === null || answer.status >= 400) return null;
  try {
    return chatModelsSchema.safeParse(await readJson(Readable.from(answer.body))).data ?? null;
  } catch {
    return null;
  }
}
