import { type BreakPosition, type AnswerBehaviour } from './behaviour.js';
import * as anthropic from './anthropic-answer.js';
import { type BodyPart, type Completion, cutText, splitText } from './completion.js';
import type { Exchange } from './exchange.js';
import { type FakeRequest, isRecord } from './fake-request.js';
import * as openai from './openai-answer.js';
import type { CountedUsage } from './usage.js';

/** What the server provides for an answer. */
export interface CompletionInput {
  headers: Record<string, string>;
  /** The whole text, before truncation. */
  text: string;
  now: number;
  count: (text: string) => CountedUsage;
}

const JSON_PARTS = 8;

/** Sends an answer with status 200 in the format of the request's API, or the part that the behaviour allows. */
export async function sendCompletion(
  exchange: Exchange,
  behaviour: AnswerBehaviour,
  { headers, text, now, count }: CompletionInput,
): Promise<void> {
  const { request, requestId } = exchange.entry;
  const written = cutText(text, behaviour, request);
  const completion: Completion = {
    id: requestId,
    model: request.model,
    pieces: splitText(written.text, behaviour.pieceLength),
    stop: mapStopReason(behaviour, written.isCut),
    ...(behaviour.thinking === undefined ? {} : { thinking: behaviour.thinking }),
    ...(behaviour.tools === undefined ? {} : { tools: behaviour.tools }),
    usage: behaviour.usage === 'missing' ? null : count(written.text),
    createdAt: now,
  };
  if (request.stream) {
    exchange.begin(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    await sendParts(exchange, renderStream(request, completion), behaviour);
    return;
  }
  const body = JSON.stringify(
    request.api === 'anthropic' ? anthropic.renderMessage(completion) : openai.renderChat(completion),
  );
  // The whole answer is generated before any of it is sent, so all of it is charged.
  exchange.entry.text = written.text;
  if (!behaviour.broken && !behaviour.everyMs) {
    exchange.send(200, headers, body);
    return;
  }
  const length = `${Buffer.byteLength(body)}`;
  const sized: Record<string, string> = behaviour.broken?.how === 'trickle' ? {} : { 'content-length': length };
  exchange.begin(200, { ...headers, 'content-type': 'application/json', ...sized });
  await sendParts(
    exchange,
    splitText(body, Math.ceil(body.length / JSON_PARTS)).map((raw) => ({ raw })),
    behaviour,
  );
}

function mapStopReason({ stop }: AnswerBehaviour, isCut: boolean): Completion['stop'] {
  if (stop === 'refusal' || stop === 'content_filter') return stop;
  return isCut ? 'length' : 'stop';
}

function renderStream(request: FakeRequest, completion: Completion): BodyPart[] {
  if (request.api === 'anthropic') return anthropic.renderMessageEvents(completion);
  const options = request.body.stream_options;
  return openai.renderChatChunks(completion, isRecord(options) && options.include_usage === true);
}

async function sendParts(exchange: Exchange, parts: readonly BodyPart[], behaviour: AnswerBehaviour): Promise<void> {
  const { broken, everyMs } = behaviour;
  if (!broken) {
    await exchange.write(parts, everyMs);
    exchange.end('complete');
    return;
  }
  await exchange.write(parts.slice(0, findBreak(parts, broken.at)), everyMs);
  if (exchange.isOver) return;
  const { request } = exchange.entry;
  if (broken.how === 'stall') return;
  // A line of a stream that is no event, or a blank in JSON.
  if (broken.how === 'trickle') return exchange.trickle(request.stream ? ':\n' : ' ');
  if (broken.how === 'reset' || !request.stream) exchange.cut();
  else {
    if (broken.how !== 'end') await exchange.write([{ raw: renderStreamError(broken.how, exchange) }]);
    exchange.end('broken');
  }
}

function findBreak(parts: readonly BodyPart[], at: BreakPosition): number {
  const texts = parts.flatMap(({ text }, index) => (text === undefined ? [] : [index]));
  if (texts.length === 0) return Math.floor(parts.length / 2);
  const afterLast = texts.at(-1)! + 1;
  if (at === 'end') return afterLast;
  const count = { start: 0, middle: Math.floor(texts.length / 2) }[at as 'start' | 'middle'] ?? (at as number);
  return texts[count] ?? afterLast;
}

function renderStreamError(how: 'overloaded' | 'rate_limit' | 'server', { entry }: Exchange): string {
  if (entry.request.api === 'anthropic') {
    const type = { overloaded: 'overloaded_error', rate_limit: 'rate_limit_error', server: 'api_error' }[how];
    return anthropic.renderStreamError(type, 'The answer was interrupted.', entry.requestId);
  }
  const { type, code } = {
    overloaded: { type: 'server_error', code: 'server_is_overloaded' },
    rate_limit: { type: 'requests', code: 'rate_limit_exceeded' },
    server: { type: 'server_error', code: null },
  }[how];
  return openai.renderStreamError(type, code, 'The answer was interrupted.');
}
