import type { ExtractedMemory } from '@annals/contracts';

/**
 * The expected result of a malformed answer: exactly these memories, in order, and this number dropped; or a parsing
 * error.
 */
type Outcome = { readonly memories: readonly ExtractedMemory[]; readonly dropped?: number } | 'unreadable';
export interface MalformedAnswer {
  readonly name: string;
  readonly answer: string;
  readonly outcome: Outcome;
}

export const TEA: ExtractedMemory = {
  content: 'Ana drinks green tea, never coffee.',
  category: 'preferences',
  type: 'semantic',
  importance: 2,
  confidence: 0.9,
  evidence: [{ message_id: 'm1', quote: 'green tea for me, never coffee' }],
};
export const PORTO: ExtractedMemory = {
  content: 'Ana moved to Porto in May 2023.',
  category: 'biography',
  type: 'episodic',
  importance: 4,
  confidence: 0.75,
  evidence: [{ message_id: 'm2', quote: 'I moved to Porto in May' }],
  valid_from: '2023-05-01T00:00:00Z',
};
export const DOG: ExtractedMemory = {
  content: 'Ana has a dog called Biscuit.',
  category: 'relationships',
  type: 'semantic',
  importance: 3,
  evidence: [
    { message_id: 'm3', quote: 'my dog Biscuit' },
    { message_id: 'm4', quote: 'Biscuit again' },
  ],
};
const { valid_from: _from, ...UNDATED } = PORTO;
const ALL = [TEA, PORTO, DOG];

export const VALID = JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories: ALL });
const PRETTY = JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories: ALL }, null, 2);
const EMPTY = '{"schemaVersion":"memory_llm_response_v1","memories":[]}';
const [TEA_JSON, PORTO_JSON, DOG_JSON] = ALL.map((memory) => JSON.stringify(memory)) as [string, string, string];

/** The valid answer with the first `part` replaced; throws if the fixture does not contain it. */
function replaced(part: string, by: string, text = VALID): string {
  if (!text.includes(part)) throw new Error(`The fixture has no ${part}`);
  return text.replace(part, () => by);
}
/** The valid answer up to the first `part`, exclusive. */
function cutBefore(part: string, text = VALID): string {
  const end = text.indexOf(part);
  if (end < 0) throw new Error(`The fixture has no ${part}`);
  return text.slice(0, end);
}
const answer = (memories: unknown, schemaVersion: unknown = 'memory_llm_response_v1') =>
  JSON.stringify({ schemaVersion, memories });

const whole = { memories: ALL };
const withoutTea = { memories: [PORTO, DOG], dropped: 1 };
const withTeaContent = (content: string) => ({ memories: [{ ...TEA, content }, PORTO, DOG] });
const LIKES = 'Ana drinks green tea, never coffee.';

const around: readonly MalformedAnswer[] = [
  { name: 'a fence with a language', answer: `\`\`\`json\n${PRETTY}\n\`\`\``, outcome: whole },
  { name: 'a fence that is never closed', answer: `\`\`\`\n${VALID}`, outcome: whole },
  { name: 'a fence of tildes', answer: `~~~json\n${VALID}\n~~~`, outcome: whole },
  { name: 'prose before', answer: `Sure! Here are the memories:\n\n${VALID}`, outcome: whole },
  { name: 'prose after', answer: `${VALID}\n\nLet me know if {more} is needed.`, outcome: whole },
  { name: 'prose with brackets before', answer: `As asked [see 1] for {user}: ${VALID}`, outcome: whole },
  { name: 'an open bracket in prose before', answer: `List [of memories: ${VALID}`, outcome: whole },
  { name: 'prose around a fence', answer: `Done.\n\`\`\`json\n${VALID}\n\`\`\`\nAnything else?`, outcome: whole },
  { name: 'a byte order mark', answer: `\ufeff${VALID}`, outcome: whole },
  { name: 'zero-width spaces and NUL at the ends', answer: `\u200b\u0000${VALID}\u200b`, outcome: whole },
  { name: 'Windows line ends', answer: PRETTY.replaceAll('\n', '\r\n'), outcome: whole },
  { name: 'no-break spaces as indentation', answer: PRETTY.replace('\n  ', '\n\u00a0\u00a0'), outcome: whole },
  { name: 'a <think> block before', answer: `<think>I could say {"memories": []}?</think>\n${VALID}`, outcome: whole },
  { name: 'the end of a <think> block before', answer: `so {this} it is\n</think>\n\n${VALID}`, outcome: whole },
  { name: 'only an unfinished <think> block', answer: `<think>The answer is ${VALID}`, outcome: 'unreadable' },
  { name: 'an example before the answer', answer: `Form: ${EMPTY}\nAnswer: ${VALID}`, outcome: whole },
  { name: 'another object before the answer', answer: `{"status":"ok"}\n${VALID}`, outcome: whole },
  { name: 'the answer twice', answer: `${VALID}${VALID}`, outcome: whole },
  {
    name: 'a second answer with other memories',
    answer: `${answer([TEA])}\n${answer([DOG])}`,
    outcome: { memories: [TEA] },
  },
  { name: 'JSONP', answer: `callback(${VALID});`, outcome: whole },
  { name: 'an assignment', answer: `const memories = ${VALID};`, outcome: whole },
  { name: 'XML tags around', answer: `<answer>${VALID}</answer>`, outcome: whole },
];

const encoded: readonly MalformedAnswer[] = [
  { name: 'JSON in a JSON string', answer: JSON.stringify(VALID), outcome: whole },
  { name: 'escaped once too often', answer: VALID.replaceAll('"', '\\"'), outcome: whole },
  { name: 'quotes as HTML entities', answer: VALID.replaceAll('"', '&quot;'), outcome: whole },
  { name: 'the list in a string', answer: answer(JSON.stringify(ALL)), outcome: whole },
  { name: 'memories in strings', answer: answer([TEA_JSON, PORTO_JSON]), outcome: 'unreadable' },
  {
    name: 'entities inside a string',
    answer: replaced('green tea,', 'green tea &amp; milk,'),
    outcome: withTeaContent('Ana drinks green tea &amp; milk, never coffee.'),
  },
];

const punctuation: readonly MalformedAnswer[] = [
  { name: 'a trailing comma in the list', answer: `${VALID.slice(0, -2)},]}`, outcome: whole },
  { name: 'trailing commas in objects', answer: VALID.replaceAll('"}]', '",}]'), outcome: whole },
  { name: 'a comma after the document', answer: `${VALID},`, outcome: whole },
  {
    name: 'doubled commas between memories',
    answer: replaced('},{"content":"Ana moved', '},,{"content":"Ana moved'),
    outcome: whole,
  },
  { name: 'a leading comma', answer: replaced('"memories":[{', '"memories":[,{'), outcome: whole },
  {
    name: 'no comma between memories',
    answer: replaced('},{"content":"Ana moved', '}\n{"content":"Ana moved'),
    outcome: whole,
  },
  { name: 'no comma between fields', answer: replaced('"preferences","type"', '"preferences" "type"'), outcome: whole },
  { name: 'no colon', answer: replaced('"category":"preferences"', '"category" "preferences"'), outcome: whole },
  {
    name: 'an equals sign instead of a colon',
    answer: replaced('"category":"preferences"', '"category"="preferences"'),
    outcome: 'unreadable',
  },
  {
    name: 'a semicolon instead of a comma',
    answer: replaced('"importance":2,', '"importance":2;'),
    outcome: withoutTea,
  },
  { name: 'line comments', answer: PRETTY.replace('"importance": 2,', '"importance": 2, // a habit'), outcome: whole },
  { name: 'block comments', answer: replaced('"memories":[', '"memories":[/* newest first */'), outcome: whole },
  {
    name: 'hash comments',
    answer: PRETTY.replace('"importance": 2,', '"importance": 2, # a habit'),
    outcome: 'unreadable',
  },
  {
    name: 'an ellipsis in the list',
    answer: replaced('},{"content":"Ana moved', '},...,{"content":"Ana moved'),
    outcome: whole,
  },
  {
    name: 'a bracket instead of a brace at the end of a memory',
    answer: replaced('coffee"}]}', 'coffee"}]]'),
    outcome: 'unreadable',
  },
  {
    name: 'a brace instead of a bracket at the end of the list',
    answer: `${VALID.slice(0, -2)}}}`,
    outcome: { memories: ALL },
  },
  { name: 'one closing brace too many', answer: `${VALID}}`, outcome: whole },
  { name: 'no closing brace of a memory', answer: replaced('coffee"}]},', 'coffee"}],'), outcome: withoutTea },
  { name: 'no closing bracket of the evidence', answer: replaced('coffee"}]},', 'coffee"}},'), outcome: withoutTea },
  {
    name: 'no braces between two memories',
    answer: replaced(']},{"content":"Ana moved', '],"content":"Ana moved'),
    outcome: { memories: [DOG], dropped: 1 },
  },
];

const quotes: readonly MalformedAnswer[] = [
  { name: 'single quotes', answer: VALID.replaceAll('"', "'"), outcome: whole },
  {
    name: 'a Python dictionary',
    answer: VALID.replaceAll('"', "'").replace("'valid_from'", "'valid_to': None, 'valid_from'"),
    outcome: whole,
  },
  { name: 'typographic quotes', answer: VALID.replace(/"([^"]*)"/g, '\u201c$1\u201d'), outcome: whole },
  { name: 'backticks', answer: VALID.replaceAll('"', '`'), outcome: whole },
  { name: 'keys without quotes', answer: VALID.replace(/"(\w+)":/g, '$1:'), outcome: whole },
  { name: 'a category without quotes', answer: replaced('"preferences"', 'preferences'), outcome: whole },
  { name: 'content without quotes', answer: replaced(`"${LIKES}"`, LIKES), outcome: 'unreadable' },
  {
    name: 'quoted words inside a string',
    answer: replaced('green tea', '"green" tea'),
    outcome: withTeaContent('Ana drinks "green" tea, never coffee.'),
  },
  { name: 'one unescaped quote inside a string', answer: replaced('green tea', '5" green tea'), outcome: withoutTea },
  { name: 'quoted words before a comma', answer: replaced('green tea,', '"green tea",'), outcome: 'unreadable' },
  { name: 'no quote at the end of the content', answer: replaced('coffee.",', 'coffee.,'), outcome: withoutTea },
  {
    name: 'no quote at the beginning of the content',
    answer: replaced('"Ana drinks', 'Ana drinks'),
    outcome: 'unreadable',
  },
  {
    name: 'no quote at the end of a category',
    answer: replaced('"preferences",', '"preferences,'),
    outcome: withoutTea,
  },
  {
    name: 'strings concatenated with a plus',
    answer: replaced('green tea, never', 'green tea," + " never'),
    outcome: withoutTea,
  },
];

const inStrings: readonly MalformedAnswer[] = [
  {
    name: 'a line break in a string',
    answer: replaced('tea, never', 'tea,\nnever'),
    outcome: withTeaContent('Ana drinks green tea,\nnever coffee.'),
  },
  {
    name: 'a tab in a string',
    answer: replaced('tea, never', 'tea,\tnever'),
    outcome: withTeaContent('Ana drinks green tea,\tnever coffee.'),
  },
  {
    name: 'an invalid escape',
    answer: replaced('green tea', 'green\\_tea'),
    outcome: withTeaContent('Ana drinks green_tea, never coffee.'),
  },
  {
    name: 'an escaped apostrophe',
    answer: replaced('green tea', "Bob\\'s tea"),
    outcome: withTeaContent("Ana drinks Bob's tea, never coffee."),
  },
  { name: 'a broken Unicode escape', answer: replaced('green tea', 'gr\\u00zzen tea'), outcome: 'unreadable' },
  { name: 'a control character in a string', answer: replaced('green tea', 'green\u0007 tea'), outcome: 'unreadable' },
  { name: 'an escaped NUL', answer: replaced('green tea', 'green\\u0000 tea'), outcome: withoutTea },
  { name: 'a lone surrogate', answer: replaced('green tea', '\\ud83c tea'), outcome: withoutTea },
  {
    name: 'a lone surrogate in the rationale',
    answer: replaced('"importance":2', '"rationale":"said so \\ud83c","importance":2'),
    outcome: whole,
  },
  {
    name: 'an emoji as two escapes',
    answer: replaced('green tea', '\\ud83c\\udf75'),
    outcome: withTeaContent('Ana drinks \u{1f375}, never coffee.'),
  },
  {
    name: 'braces in a string',
    answer: replaced('green tea', '{green] tea'),
    outcome: withTeaContent('Ana drinks {green] tea, never coffee.'),
  },
  {
    name: 'a fence in a string',
    answer: replaced('green tea', '```green``` tea'),
    outcome: withTeaContent('Ana drinks ```green``` tea, never coffee.'),
  },
];

const values: readonly MalformedAnswer[] = [
  {
    name: 'NaN as a confidence',
    answer: replaced('"confidence":0.9', '"confidence":NaN'),
    outcome: { memories: [withoutConfidence(TEA), PORTO, DOG] },
  },
  {
    name: 'minus Infinity as a confidence',
    answer: replaced('"confidence":0.9', '"confidence":-Infinity'),
    outcome: { memories: [withoutConfidence(TEA), PORTO, DOG] },
  },
  {
    name: 'undefined as a confidence',
    answer: replaced('"confidence":0.9', '"confidence":undefined'),
    outcome: { memories: [withoutConfidence(TEA), PORTO, DOG] },
  },
  {
    name: 'no value for a confidence',
    answer: replaced('"confidence":0.9', '"confidence":'),
    outcome: { memories: [withoutConfidence(TEA), PORTO, DOG] },
  },
  { name: 'NaN as content', answer: replaced(`"${LIKES}"`, 'NaN'), outcome: withoutTea },
  {
    name: 'null in every optional field',
    answer: replaced(
      '"confidence":0.9',
      '"confidence":null,"valid_to":null,"relations":null,"emotionalContext":null,"significance":{"overall":null},"rationale":null',
    ),
    outcome: { memories: [withoutConfidence(TEA), PORTO, DOG] },
  },
  { name: 'null as content', answer: replaced(`"${LIKES}"`, 'null'), outcome: withoutTea },
  {
    name: 'a confidence above 1',
    answer: replaced('"confidence":0.9', '"confidence":1.5'),
    outcome: { memories: [{ ...TEA, confidence: 1 }, PORTO, DOG] },
  },
  {
    name: 'a negative confidence',
    answer: replaced('"confidence":0.9', '"confidence":-3'),
    outcome: { memories: [{ ...TEA, confidence: 0 }, PORTO, DOG] },
  },
  { name: 'a confidence in words', answer: replaced('"confidence":0.9', '"confidence":"high"'), outcome: withoutTea },
  {
    name: 'a confidence that ends with a decimal point',
    answer: replaced('"confidence":0.9', '"confidence":0.'),
    outcome: withoutTea,
  },
  { name: 'a huge number', answer: replaced('"importance":2', '"importance":1e400'), outcome: withoutTea },
  {
    name: 'a mood on another scale',
    answer: replaced(
      '"importance":2',
      '"emotionalContext":{"intensity":7},"significance":{"overall":8},"importance":2',
    ),
    outcome: whole,
  },
  {
    name: 'an importance outside its scale',
    answer: replaced('"importance":2', '"importance":9'),
    outcome: { memories: [{ ...TEA, importance: 5 }, PORTO, DOG] },
  },
  {
    name: 'an importance with a leading zero',
    answer: replaced('"importance":2', '"importance":02'),
    outcome: withoutTea,
  },
  { name: 'a number as content', answer: replaced(`"${LIKES}"`, '42'), outcome: withoutTea },
  { name: 'empty content', answer: replaced(LIKES, ''), outcome: withoutTea },
  {
    name: 'a category with capitals and spaces',
    answer: replaced('"preferences"', '"My Preferences"'),
    outcome: withoutTea,
  },
  { name: 'evidence as text', answer: replaced(JSON.stringify(TEA.evidence), '"m1: green tea"'), outcome: withoutTea },
  {
    name: 'no evidence at all',
    answer: replaced(`,"evidence":${JSON.stringify(TEA.evidence)}`, ''),
    outcome: withoutTea,
  },
  {
    name: 'a duplicate field',
    answer: replaced('"category":"preferences"', '"category":"preferences","category":"biography"'),
    outcome: withoutTea,
  },
  { name: 'an extra field', answer: replaced('"importance":2', '"id":"x1","importance":2'), outcome: whole },
  {
    name: 'null among the memories',
    answer: replaced('"memories":[', '"memories":[null,'),
    outcome: { ...whole, dropped: 1 },
  },
  {
    name: 'an invalid valid_from',
    answer: replaced('2023-05-01T00:00:00Z', 'May 2023'),
    outcome: { memories: [TEA, UNDATED, DOG] },
  },
  {
    name: 'an invalid valid_to',
    answer: replaced('valid_from":"2023-05-01T00:00:00Z', 'valid_to":"May 2023'),
    outcome: { memories: [TEA, DOG], dropped: 1 },
  },
  { name: 'only invalid memories', answer: answer([{ text: 'x' }, {}]), outcome: 'unreadable' },
];

const truncated: readonly MalformedAnswer[] = [
  {
    name: 'truncated inside the content',
    answer: cutBefore('called Biscuit'),
    outcome: { memories: [TEA, PORTO], dropped: 1 },
  },
  { name: 'truncated after a comma in the content', answer: cutBefore(' never coffee'), outcome: 'unreadable' },
  { name: 'truncated inside a key', answer: cutBefore('dence":0.75'), outcome: { memories: [TEA], dropped: 1 } },
  { name: 'truncated after a key', answer: cutBefore(':0.75'), outcome: { memories: [TEA], dropped: 1 } },
  { name: 'truncated after a colon', answer: cutBefore('0.75'), outcome: { memories: [TEA], dropped: 1 } },
  { name: 'truncated inside a number', answer: cutBefore('75,"evidence"'), outcome: { memories: [TEA], dropped: 1 } },
  { name: 'truncated inside a quote', answer: cutBefore(' again'), outcome: { memories: [TEA, PORTO], dropped: 1 } },
  {
    name: 'truncated inside the evidence',
    answer: cutBefore(',{"message_id":"m4"'),
    outcome: { memories: [TEA, PORTO], dropped: 1 },
  },
  { name: 'truncated after the evidence', answer: VALID.slice(0, -3), outcome: { memories: [TEA, PORTO], dropped: 1 } },
  {
    name: 'truncated inside an escape',
    answer: replaced('called Biscuit', 'called \\u00e9').split('0e9')[0]!,
    outcome: { memories: [TEA, PORTO], dropped: 1 },
  },
  { name: 'truncated after a memory', answer: VALID.slice(0, -2), outcome: whole },
  {
    name: 'truncated after the comma after a memory',
    answer: cutBefore('{"content":"Ana has'),
    outcome: { memories: [TEA, PORTO] },
  },
  { name: 'truncated after the list', answer: VALID.slice(0, -1), outcome: whole },
  { name: 'truncated before the first memory', answer: cutBefore('{"content"'), outcome: 'unreadable' },
  { name: 'truncated inside the first memory', answer: cutBefore(',"importance":2'), outcome: 'unreadable' },
  { name: 'truncated inside the version', answer: cutBefore('_response'), outcome: 'unreadable' },
  {
    name: 'truncated inside a fence',
    answer: `\`\`\`json\n${cutBefore('called Biscuit', PRETTY)}`,
    outcome: { memories: [TEA, PORTO], dropped: 1 },
  },
  {
    name: 'truncated, with single quotes',
    answer: cutBefore('called Biscuit').replaceAll('"', "'"),
    outcome: { memories: [TEA, PORTO], dropped: 1 },
  },
  {
    name: 'truncated, with an earlier trailing comma',
    answer: cutBefore('called Biscuit').replace('coffee"}]}', 'coffee"}],}'),
    outcome: { memories: [TEA, PORTO], dropped: 1 },
  },
  {
    name: 'truncated after the list, with prose after it',
    answer: `${VALID.slice(0, -1)}\n\nThat is all.`,
    outcome: whole,
  },
];

const forms: readonly MalformedAnswer[] = [
  { name: 'the singular form', answer: JSON.stringify({ memory: TEA }), outcome: { memories: [TEA] } },
  {
    name: 'the singular form with its version',
    answer: JSON.stringify({ schemaVersion: 'memory_llm_response_v0', memory: TEA }),
    outcome: { memories: [TEA] },
  },
  {
    name: 'the singular form without a field',
    answer: JSON.stringify({ schemaVersion: 'memory_llm_response_v0', ...TEA }),
    outcome: { memories: [TEA] },
  },
  { name: 'a memory instead of the list', answer: answer(TEA), outcome: { memories: [TEA] } },
  { name: 'a bare memory', answer: TEA_JSON, outcome: { memories: [TEA] } },
  { name: 'a bare list', answer: JSON.stringify(ALL), outcome: whole },
  { name: 'a line for each memory', answer: [TEA_JSON, PORTO_JSON, DOG_JSON].join('\n'), outcome: whole },
  {
    name: 'a Markdown list of memories',
    answer: [TEA_JSON, DOG_JSON].map((json) => `- ${json}`).join('\n'),
    outcome: { memories: [TEA, DOG] },
  },
  {
    name: 'a line for each memory, the last one truncated',
    answer: `${TEA_JSON}\n${DOG_JSON.slice(0, 60)}`,
    outcome: { memories: [TEA], dropped: 1 },
  },
  { name: 'no version', answer: JSON.stringify({ memories: ALL }), outcome: whole },
  { name: 'a newer version', answer: answer(ALL, 'memory_llm_response_v2'), outcome: 'unreadable' },
  { name: 'a foreign version', answer: answer(ALL, '1.0'), outcome: 'unreadable' },
  { name: 'no list', answer: '{"schemaVersion":"memory_llm_response_v1"}', outcome: 'unreadable' },
  { name: 'null instead of the list', answer: answer(null), outcome: 'unreadable' },
  { name: 'two lists', answer: `{"memories":[${TEA_JSON}],"memories":[${DOG_JSON}]}`, outcome: 'unreadable' },
  { name: 'another document', answer: '{"answer":"I have no memories to give."}', outcome: 'unreadable' },
  { name: 'an empty object', answer: '{}', outcome: 'unreadable' },
  { name: 'a bare empty list', answer: '[]', outcome: 'unreadable' },
  { name: 'a list of words', answer: '["green tea","Porto"]', outcome: 'unreadable' },
  { name: 'Markdown instead of JSON', answer: `- ${TEA.content}\n- ${DOG.content}`, outcome: 'unreadable' },
  {
    name: 'YAML instead of JSON',
    answer: `memories:\n  - content: ${TEA.content}\n    category: preferences`,
    outcome: 'unreadable',
  },
  { name: 'a refusal', answer: 'I cannot help with that.', outcome: 'unreadable' },
  { name: 'a blank answer', answer: ' \n', outcome: 'unreadable' },
  { name: 'an empty answer', answer: EMPTY, outcome: { memories: [] } },
  { name: 'an empty answer in a fence', answer: `\`\`\`json\n${EMPTY}\n\`\`\``, outcome: { memories: [] } },
  { name: 'an empty answer without its last brace', answer: EMPTY.slice(0, -1), outcome: { memories: [] } },
  { name: 'an empty answer whose list is not closed', answer: EMPTY.slice(0, -2), outcome: 'unreadable' },
  {
    name: 'an empty example before an unreadable answer',
    answer: `${EMPTY}\n${replaced('"category":', '"category"=')}`,
    outcome: 'unreadable',
  },
  {
    name: 'eleven repairs needed',
    answer: answer(Array.from({ length: 11 }, () => TEA)).replaceAll('"preferences",', '"preferences",,'),
    outcome: 'unreadable',
  },
  {
    name: 'more than 50,000 characters to repair',
    answer: `${answer([{ ...TEA, rationale: 'x'.repeat(50_000) }, DOG]).slice(0, -2)},]}`,
    outcome: 'unreadable',
  },
  { name: 'only opening brackets', answer: '['.repeat(20_000), outcome: 'unreadable' },
  {
    name: 'deep nesting',
    answer: replaced(
      '"importance":2',
      `"relationshipDynamics":{"x":${'['.repeat(100)}${']'.repeat(100)}},"importance":2`,
    ),
    outcome: 'unreadable',
  },
];

function withoutConfidence({ confidence: _confidence, ...memory }: ExtractedMemory): ExtractedMemory {
  return memory;
}

/**
 * Malformed answers as models return them, in addition to the corpus
 * (docs/reference/streaming-and-repair.md#json-repair-corpus).
 */
export const MALFORMED_ANSWERS: readonly MalformedAnswer[] = [
  ...around,
  ...encoded,
  ...punctuation,
  ...quotes,
  ...inStrings,
  ...values,
  ...truncated,
  ...forms,
];
