import { SeededRng } from '@annals/domain';

const SENTENCES = [
  'Ana drinks green tea.',
  'Ana said "never" and meant it.',
  'Zoë lives in São Paulo \u{1f3d9}\ufe0f with 日本 food.',
  'The path is C:\\temp\\new, with {braces} and [brackets].',
  'Two\nlines and a\ttab.',
  'مرحبا، أنا لينا',
];
const WRAPPINGS: readonly ((answer: string) => string)[] = [
  (answer) => answer,
  (answer) => `\`\`\`json\n${answer}\n\`\`\``,
  (answer) => `Voilà, the [memories] – ${answer}`,
  (answer) => `<think>Is {it} “done”?</think>\n${answer}\n`,
  (answer) => `Here:\n\`\`\`json\n${answer}\n\`\`\`\nMore {soon} \u{1f44b}`,
  (answer) => `${answer}\nHope that helps \u{1f44b}`,
  (answer) => answer.slice(0, Math.floor(answer.length * 0.6)),
  (answer) => answer.slice(0, -2),
  (answer) => answer.replaceAll('"', "'"),
  (answer) => answer.replace(']}]', '],}]'),
];

/** 100 answers as a provider may stream them; deterministic. */
export function generateResponses(): string[] {
  const rng = new SeededRng(42);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rng.nextFloat() * list.length)]!;
  return Array.from({ length: 100 }, (_, number) => {
    const memories = Array.from({ length: 1 + (number % 3) }, (__, position) => ({
      content: `${number}.${position}: ${pick(SENTENCES)}`,
      category: 'preferences',
      evidence: [{ message_id: 'm1', quote: pick(SENTENCES) }],
    }));
    return WRAPPINGS[number % WRAPPINGS.length]!(JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories }));
  });
}
