import type { CitedMessage, KnownUser, SummarySentence, SummaryStep } from '@annals/domain';
import { type ConversationMessage, nameSummarySpeakers } from '@annals/llm-core';
import type { SummarizableMessage } from '@annals/storage';

/** What one step reads, in the order of the conversation. */
export interface StepMaterial {
  readonly user: KnownUser;
  /** The summary so far; empty but for a rolling step. */
  readonly prior: readonly SummarySentence[];
  /** Sentences of summaries of parts. */
  readonly parts: readonly SummarySentence[];
  readonly messages: readonly ConversationMessage[];
  /** All messages that a sentence of the step may cite, by id. */
  readonly cited: ReadonlyMap<string, CitedMessage>;
}

export interface SourceBook {
  read(step: SummaryStep): StepMaterial;
  /** Sentences of a step that was made, for the steps that read it. */
  add(step: SummaryStep, sentences: readonly SummarySentence[]): void;
  /** Epoch ms at which the message was said; undefined for one that was not loaded. */
  findSaidAt(seq: number): number | undefined;
}

interface LoadedSources {
  readonly user: KnownUser;
  readonly messages: readonly SummarizableMessage[];
  /** Of stored summaries, by id. */
  readonly sentences: ReadonlyMap<string, readonly SummarySentence[]>;
}

/** The sources of a plan's steps, with speakers named as summaries name them. */
export function createSourceBook({ user, messages, sentences }: LoadedSources): SourceBook {
  const nameOf = nameSummarySpeakers(messages, user);
  const cited = new Map(
    messages.map((message): [string, CitedMessage] => [
      message.id,
      { id: message.id, speaker: nameOf(message), content: message.content, createdAt: message.saidAt },
    ]),
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  const bySeq = new Map(messages.map(({ seq, saidAt }) => [seq, saidAt]));
  const made = new Map<string, readonly SummarySentence[]>();
  const placeOf = ({ tier, position }: { tier: string; position: number }) => `${tier} ${position}`;
  return {
    read(step) {
      const summaries = step.inputs.filter((input) => input.type === 'summary');
      const read = (input: (typeof summaries)[number]) =>
        (input.id === null ? made.get(placeOf(input)) : sentences.get(input.id)) ?? [];
      const [priors, parts] = [
        summaries.filter(({ tier }) => tier === 'L3'),
        summaries.filter(({ tier }) => tier !== 'L3'),
      ];
      return {
        user,
        prior: priors.flatMap(read),
        parts: parts.flatMap(read),
        messages: step.inputs
          .flatMap((input) => (input.type === 'messages' ? input.messages : []))
          .flatMap(({ id }) => byId.get(id) ?? [])
          .map(({ id, role, actorId, content, saidAt }) => ({ id, role, actorId, content, createdAt: saidAt })),
        cited,
      };
    },
    add: (step, told) => void made.set(placeOf(step), told),
    findSaidAt: (seq) => bySeq.get(seq),
  };
}
