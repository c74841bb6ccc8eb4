import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { ClientWith } from '../client.js';
import { requireText } from '../require-text.js';
import { joinTexts, readConversation, type Said } from './conversation.js';
import { Ingest, type Utterance } from './ingest.js';
import { injectedMessage } from './injected-block.js';
import { MessageIds } from './message-ids.js';
import type { MemoryOptions } from './options.js';
import { Recall, SKIPPED, type TurnMemory } from './recall.js';
import { report } from './report.js';
import { tapStream } from './tap-stream.js';

export interface AnnalsMemory extends LanguageModelV4Middleware {
  /** When what was said in the calls that are over is stored. It never fails: see `onError`. */
  settled(): Promise<void>;
}

/** What a call remembers, from its prompt as the client sent it. */
interface Call {
  readonly memory: TurnMemory;
  readonly said: readonly Said[];
  /** One for each of `said`. */
  readonly ids: readonly string[];
  readonly turn: { readonly start: number; readonly end: number };
  /** JSON for a program is nothing that the assistant says. */
  readonly answersInWords: boolean;
}

/** Memory for one conversation, as middleware of a language model: recalled before each turn, stored behind it. */
export function annalsMemory(client: ClientWith<'memory' | 'conversations'>, options: MemoryOptions): AnnalsMemory {
  requireText({ ...options }, 'user', 'whose memory it is');
  requireText({ ...options }, 'thread', 'the conversation');
  const recall = new Recall(client, options);
  const ingest = new Ingest(client, options);
  const calls = new WeakMap<LanguageModelV4CallOptions, Call>();
  const messageIds = new MessageIds([options.user, options.thread]);

  /** The turn of a call, and what was answered if it was. */
  function store(call: Call | undefined, answer: string): void {
    if (!call || options.remember === false) return;
    const { said, ids, turn, answersInWords } = call;
    const asked = said.slice(turn.start, turn.end).map((one, index) => ({ ...one, id: ids[turn.start + index]! }));
    ingest.add(addAnswer(messageIds, said, asked, answersInWords ? answer : ''));
  }

  async function remember(params: LanguageModelV4CallOptions): Promise<LanguageModelV4CallOptions> {
    const { prompt, abortSignal, responseFormat } = params;
    const { said, turn } = readConversation(prompt);
    const ids = await messageIds.derive(said);
    const question = said[turn.end - 1];
    // A prompt that ends with words of the assistant is to be continued, and nothing may stand behind them.
    const isAsked = question !== undefined && prompt.at(-1)?.role !== 'assistant';
    const memory: TurnMemory = isAsked
      ? await recall.forTurn(
          { id: ids[turn.end - 1]!, query: question.text, isFirstStep: prompt.at(-1)?.role === 'user' },
          abortSignal,
        )
      : { recalled: SKIPPED, profile: undefined };
    const withMemory = { ...params, prompt: addMemory(prompt, memory) };
    calls.set(withMemory, { memory, said, ids, turn, answersInWords: responseFormat?.type !== 'json' });
    return withMemory;
  }

  return {
    specificationVersion: 'v4',

    async transformParams({ params }) {
      try {
        return await remember(params);
      } catch (error) {
        report(error, options.onError);
        return params;
      }
    },

    async wrapGenerate({ doGenerate, params }) {
      const call = calls.get(params);
      let answer = '';
      try {
        const result = await doGenerate();
        if (result.finishReason.unified !== 'error') answer = joinTexts(result.content);
        return { ...result, providerMetadata: addMetadata(result.providerMetadata, call) };
      } finally {
        store(call, answer);
      }
    },

    async wrapStream({ doStream, params }) {
      const call = calls.get(params);
      const result = await Promise.resolve(doStream()).catch((error: unknown) => {
        store(call, '');
        throw error;
      });
      return { ...result, stream: watch(result.stream, call, (answer) => store(call, answer)) };
    },

    settled: () => ingest.settled(),
  };
}

/** The client's messages stay as they are and where they are, so that a prompt cache knows them again. */
function addMemory(prompt: LanguageModelV4Prompt, { recalled, profile }: TurnMemory): LanguageModelV4Prompt {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const start = first === -1 ? prompt.length : first;
  return [
    ...prompt.slice(0, start),
    ...(profile?.block === undefined ? [] : [injectedMessage(profile.block)]),
    ...prompt.slice(start),
    ...(recalled.block === undefined ? [] : [injectedMessage(recalled.block)]),
  ];
}

/** Calls `onOver` once, with what was answered in words: with nothing if the answer was not given to its end. */
function watch(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  call: Call | undefined,
  onOver: (answer: string) => void,
): ReadableStream<LanguageModelV4StreamPart> {
  const texts: { type: 'text'; text: string }[] = [];
  /** Providers use an id again for a later text. */
  const open = new Map<string, { text: string }>();
  let isOver = false;
  const finish = (answer: string): void => {
    if (!isOver) onOver(answer);
    isOver = true;
  };
  return tapStream(stream, {
    see(part) {
      if (part.type === 'text-start') {
        const text = { type: 'text' as const, text: '' };
        texts.push(text);
        open.set(part.id, text);
      }
      const text = part.type === 'text-delta' ? open.get(part.id) : undefined;
      if (part.type === 'text-delta' && text) text.text += part.delta;
      if (part.type !== 'finish') return part;
      finish(part.finishReason.unified === 'error' ? '' : joinTexts(texts));
      return { ...part, providerMetadata: addMetadata(part.providerMetadata, call) };
    },
    end: () => finish(''),
  });
}

function addMetadata(metadata: SharedV4ProviderMetadata | undefined, call: Call | undefined): SharedV4ProviderMetadata {
  if (!call) return { ...metadata };
  const { recalled, profile } = call.memory;
  const { status, memoryIds, revision, degraded, error } = recalled;
  const annals = {
    status,
    memoryIds: [...memoryIds],
    revision,
    degraded,
    ...(error === undefined ? {} : { error }),
    ...(profile === undefined ? {} : { profile: profile.status, profileMemoryIds: [...profile.memoryIds] }),
  };
  return { ...metadata, annals };
}

async function addAnswer(
  messageIds: MessageIds,
  said: readonly Said[],
  asked: readonly Utterance[],
  answer: string,
): Promise<readonly Utterance[]> {
  if (answer === '') return asked;
  const answered = { role: 'assistant', text: answer } as const;
  const ids = await messageIds.derive([...said, answered]);
  return [...asked, { ...answered, id: ids.at(-1)! }];
}
