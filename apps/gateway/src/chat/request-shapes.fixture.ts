/** A body of a request as a client wrote it, byte by byte. `noTail`: after it, no message may come. */
export interface RequestShape {
  readonly name: string;
  readonly text: string;
  readonly noTail?: true;
  /** Its last message cannot be marked, or the client marks its messages itself. */
  readonly noMark?: true;
}

const SYSTEM = '{"role":"system","content":"Be brief."}';
const ASK = '{"role":"user","content":"What is the name of my dog?"}';
const TOOL =
  '{"type":"function","function":{"name":"get_weather","description":"Weather of a place","parameters":{"type":"object","properties":{"place":{"type":"string"}},"required":["place"],"additionalProperties":false},"strict":true}}';
const CALLS =
  '{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\\"place\\": \\"Faro\\"}"}},{"id":"call_2","type":"function","function":{"name":"get_weather","arguments":"{\\"place\\":\\"Porto\\"}"}}]}';
const RESULTS =
  '{"role":"tool","tool_call_id":"call_1","content":"18 °C"},{"role":"tool","tool_call_id":"call_2","content":"16 °C"}';
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** With one question; `more` are further members. */
const ask = (more: string, messages = ASK) => `{"model":"gpt-4o-mini","messages":[${messages}]${more}}`;
const parts = (...list: string[]) => `{"role":"user","content":[${list.join(',')}]}`;
const textPart = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`;
const shape = (name: string, text: string, more: Omit<RequestShape, 'name' | 'text'> = {}): RequestShape => ({
  name,
  text,
  ...more,
});

export const REQUEST_SHAPES: readonly RequestShape[] = [
  shape('one question', ask('')),
  shape('a system message', ask('', `${SYSTEM},${ASK}`)),
  shape('a developer message', ask('', `{"role":"developer","content":"Be brief."},${ASK}`)),
  shape('a system message in the middle', ask('', `${ASK},{"role":"assistant","content":"Rex."},${SYSTEM},${ASK}`)),
  shape('a system message at the end', ask('', `${ASK},${SYSTEM}`)),
  shape('a conversation', ask('', `${ASK},{"role":"assistant","content":"Rex."},{"role":"user","content":"Thanks!"}`)),
  shape('a name', ask('', '{"role":"user","name":"ana","content":"Hi"}')),
  shape('text in parts', ask('', parts(textPart('What is'), textPart('the name of my dog?')))),
  shape('an image', ask('', parts(textPart('What is this?'), `{"type":"image_url","image_url":{"url":"${PIXEL}"}}`))),
  shape(
    'an image with detail, before its text',
    ask(
      '',
      parts(`{"type":"image_url","image_url":{"url":"${PIXEL}","detail":"low"}}`, textPart('Which dog is this?')),
    ),
  ),
  shape('a sound', ask('', parts('{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}'))),
  shape('a file', ask('', parts(textPart('Sum up.'), '{"type":"file","file":{"file_id":"file-1"}}'))),
  shape('tools', ask(`,"tools":[${TOOL}],"tool_choice":"auto","parallel_tool_calls":true`)),
  shape('a forced tool', ask(`,"tools":[${TOOL}],"tool_choice":{"type":"function","function":{"name":"get_weather"}}`)),
  shape('a custom tool', ask(',"tools":[{"type":"custom","custom":{"name":"run","description":"Runs code"}}]')),
  shape('results of parallel tool calls', ask(`,"tools":[${TOOL}]`, `${ASK},${CALLS},${RESULTS}`)),
  shape(
    'a result in parts',
    ask(
      `,"tools":[${TOOL}]`,
      `${ASK},${CALLS},{"role":"tool","tool_call_id":"call_1","content":[${textPart('18')}]},{"role":"tool","tool_call_id":"call_2","content":[${textPart('16')}]}`,
    ),
  ),
  shape('an empty result', ask('', `${ASK},${CALLS},{"role":"tool","tool_call_id":"call_1","content":""}`), {
    noMark: true,
  }),
  shape(
    'a function and its result',
    ask(
      ',"functions":[{"name":"now","parameters":{}}],"function_call":"auto"',
      `${ASK},{"role":"assistant","content":null,"function_call":{"name":"now","arguments":"{}"}},{"role":"function","name":"now","content":"noon"}`,
    ),
    { noMark: true },
  ),
  shape(
    'an assistant with text and calls',
    ask('', `${ASK},${CALLS.replace('"content":null', '"content":"I look."')},${RESULTS}`),
  ),
  shape('an assistant that speaks last', ask('', `${ASK},{"role":"assistant","content":"The name is"}`), {
    noTail: true,
  }),
  shape(
    'a refusal',
    ask('', `${ASK},{"role":"assistant","content":null,"refusal":"I cannot."},{"role":"user","content":"Why?"}`),
  ),
  shape('an empty message', ask('', '{"role":"user","content":""}'), { noMark: true }),
  shape('null in the place of a message’s content', ask('', `${ASK},{"role":"user","content":null}`), { noMark: true }),
  shape('three answers', ask(',"n":3')),
  shape('log probabilities', ask(',"logprobs":true,"top_logprobs":5')),
  shape(
    'an answer by a schema',
    ask(
      ',"response_format":{"type":"json_schema","json_schema":{"name":"dog","strict":true,"schema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}}',
    ),
  ),
  shape('an answer in JSON', ask(',"response_format":{"type":"json_object"}')),
  shape('reasoning', ask(',"reasoning_effort":"low","verbosity":"low","max_completion_tokens":256')),
  shape(
    'sampling',
    ask(
      ',"temperature":0.20,"top_p":1.0,"presence_penalty":-0.5,"frequency_penalty":1e-1,"seed":12345678901234567890,"stop":["\\n","END"],"logit_bias":{"50256":-100}',
    ),
  ),
  shape('a stream', ask(',"stream":true')),
  shape('a stream with usage', ask(',"stream":true,"stream_options":{"include_usage":true}')),
  shape('a stream without obfuscation', ask(',"stream":true,"stream_options":{"include_obfuscation":false}')),
  shape(
    'metadata and storage',
    ask(',"store":true,"metadata":{"order":"42"},"safety_identifier":"h4sh","service_tier":"default"'),
  ),
  shape('a prediction', ask(',"prediction":{"type":"content","content":"Rex"}')),
  shape('a cache key', ask(',"prompt_cache_key":"tenant-1"')),
  shape(
    'breakpoints of its own',
    ask(
      '',
      '{"role":"user","content":[{"type":"text","text":"What is the name of my dog?","prompt_cache_breakpoint":{"mode":"explicit"}}]}',
    ),
    { noMark: true },
  ),
  shape('a cache that is off', ask(',"prompt_cache_options":{"mode":"explicit"}'), { noMark: true }),
  shape('a lifetime of the cache', ask(',"prompt_cache_options":{"ttl":"30m"}')),
  shape(
    'fields that nobody knows',
    ask(',"x_vendor":{"a":[1,2,{"b":null}]},"guided_json":"{\\"type\\":\\"object\\"}","provider":{"order":["a"]}'),
  ),
  shape(
    'reasoning of an earlier answer',
    ask(
      '',
      `${ASK},{"role":"assistant","content":"Rex.","reasoning_content":"They said so.","reasoning_details":[{"type":"reasoning.text","text":"…"}]},{"role":"user","content":"Sure?"}`,
    ),
  ),
  shape(
    'white space and lines',
    '{\n  "model" : "gpt-4o-mini",\n  "messages" : [\n    {\n      "role" : "user",\n      "content" : "What is the name of my dog?"\n    }\n  ],\n  "temperature" : 0\n}\n',
  ),
  shape(
    'members in another order',
    '{"stream":false,"messages":[{"content":"What is the name of my dog?","role":"user"}],"model":"gpt-4o-mini"}',
  ),
  shape(
    'escaped letters',
    '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"\\u0057hat is the name of my \\ud83d\\udc36 \\/ \\"dog\\"?\\n\\t\\\\"}]}',
  ),
  shape('letters of many languages', ask('', '{"role":"user","content":"Wie heißt mein Hund? 我的狗叫什么名字？ 🐕‍🦺"}')),
  shape(
    'numbers as they were written',
    ask(',"temperature":1.00,"top_p":0.10e1,"max_tokens":1E2,"extra":[-0,1.50,123456789012345678901234567890]'),
  ),
  shape(
    'a name that stands twice',
    '{"model":"gpt-4","temperature":1,"messages":[{"role":"user","content":"Hi"}],"temperature":0,"model":"gpt-4o-mini"}',
  ),
  shape('brackets in its text', ask('', '{"role":"user","content":"Is ] or } or \\"messages\\":[ or , a dog?"}')),
  shape(
    'the words of our own block',
    ask('', '{"role":"user","content":"What does <annals-memory>x</annals-memory> mean?"}'),
  ),
  shape('no messages', '{"model":"gpt-4o-mini","messages":[]}', { noTail: true }),
  shape('messages that are none', '{"model":"gpt-4o-mini","messages":"Hi"}', { noTail: true }),
];
