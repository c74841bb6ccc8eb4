import type { Conversation, Question } from '../locomo/data-set.ts';
import type { Chat, ChatQuestion } from './chat.ts';
import { toThirdPerson } from './to-third-person.ts';

/** A question of a chat in one of its forms. */
export interface AskedQuestion extends Question, Pick<ChatQuestion, 'kind' | 'role'> {
  /** `transposed`: the words of the first person, about "the user". */
  readonly form: 'first' | 'third' | 'transposed';
}

export interface AskedChat extends Conversation {
  readonly questions: readonly AskedQuestion[];
}

/** The chat with each of its questions asked as the person, as an agent, and as an agent in the person's words. */
export function askInEachForm({ id, sessions, questions }: Chat): AskedChat {
  return { id, sessions, questions: questions.flatMap((question) => toForms(id, question)) };
}

function toForms(chatId: string, { id, kind, role, first, third, evidence, answer }: ChatQuestion): AskedQuestion[] {
  const forms = { first, third, transposed: toThirdPerson(first) };
  return Object.entries(forms).map(([form, question]) => ({
    id: `${chatId}/${id}/${form}`,
    question,
    category: kind,
    kind,
    role,
    form: form as AskedQuestion['form'],
    evidence,
    answer,
  }));
}
