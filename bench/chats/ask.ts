import type { Conversation, Question } from '../locomo/data-set.ts';
import type { Chat, ChatQuestion } from './chat.ts';

/** A question of a chat in one of its two forms. */
export interface AskedQuestion extends Question, Pick<ChatQuestion, 'kind' | 'role'> {
  readonly person: 'first' | 'third';
}

export interface AskedChat extends Conversation {
  readonly questions: readonly AskedQuestion[];
}

/** The chat with each of its questions asked twice, as the person and as an agent. */
export function askTwice({ id, sessions, questions }: Chat): AskedChat {
  return {
    id,
    sessions,
    questions: questions.flatMap((question) =>
      (['first', 'third'] as const).map((person) => ({
        id: `${id}/${question.id}/${person}`,
        question: question[person],
        category: question.kind,
        kind: question.kind,
        role: question.role,
        person,
        evidence: question.evidence,
        answer: question.answer,
      })),
    ),
  };
}
