import { text, HI, HI_TURN, MARK, PNG, PDF, ofMessages, ofParts, type RequestShape } from './request-shape.fixture.js';

const TEXTS: readonly RequestShape[] = [
  ofMessages('a text', [HI], [HI_TURN]),
  ofMessages(
    'system and developer messages at the beginning',
    [{ role: 'system', content: 'A.' }, { role: 'developer', content: [text('B.', MARK), text('C.')] }, HI],
    [HI_TURN],
    {
      body: { system: [text('A.'), text('B.', MARK), text('C.')] },
    },
  ),
  ofMessages('a mark on a system message', [{ role: 'system', content: 'A.', ...MARK }, HI], [HI_TURN], {
    body: { system: [text('A.', MARK)] },
  }),
  ofMessages(
    'a later system message',
    [HI, { role: 'system', content: 'Be brief.' }],
    [{ role: 'user', content: [text('Hi.'), text('<system>\nBe brief.\n</system>')] }],
  ),
  ofMessages(
    'system messages alone',
    [{ role: 'system', content: 'Say hi.' }],
    [{ role: 'user', content: [text('Say hi.')] }],
  ),
  ofMessages(
    'a greeting of the assistant first',
    [{ role: 'assistant', content: 'Hello!' }, HI],
    [
      { role: 'user', content: [text('(The conversation begins.)')] },
      { role: 'assistant', content: [text('Hello!')] },
      HI_TURN,
    ],
  ),
  ofMessages(
    'messages of the user in a row',
    [HI, { role: 'user', content: 'There.' }],
    [{ role: 'user', content: [text('Hi.'), text('There.')] }],
  ),
  ofMessages(
    'messages of the assistant in a row',
    [HI, { role: 'assistant', content: 'A.' }, { role: 'assistant', content: [text('B.')] }, HI],
    [HI_TURN, { role: 'assistant', content: [text('A.'), text('B.')] }, HI_TURN],
  ),
  ofMessages(
    'texts without words',
    [
      { role: 'user', content: '' },
      HI,
      { role: 'assistant', content: ' \n' },
      { role: 'user', content: [text(''), text('You?')] },
    ],
    [{ role: 'user', content: [text('Hi.'), text('You?')] }],
  ),
  ofMessages(
    'a refusal of the assistant',
    [
      HI,
      { role: 'assistant', content: null, refusal: 'No.' },
      HI,
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No!' }] },
      HI,
    ],
    [
      HI_TURN,
      { role: 'assistant', content: [text('No.')] },
      HI_TURN,
      { role: 'assistant', content: [text('No!')] },
      HI_TURN,
    ],
  ),
  ofMessages(
    'names and annotations of messages',
    [
      { ...HI, name: 'anna' },
      { role: 'assistant', content: 'A.', annotations: [{ type: 'url_citation' }], audio: null },
      HI,
    ],
    [HI_TURN, { role: 'assistant', content: [text('A.')] }, HI_TURN],
    { ignored: ['messages[].name', 'messages[].annotations'] },
  ),
  ofMessages(
    'a mark on the last message before an addition',
    [
      { ...HI, ...MARK },
      { role: 'user', content: 'Memories.' },
    ],
    [{ role: 'user', content: [text('Hi.', MARK), text('Memories.')] }],
  ),
];

const PARTS: readonly RequestShape[] = [
  ofParts('a mark on a part', [text('A.'), text('B.', MARK)], [text('A.'), text('B.', MARK)]),
  ofParts(
    'a breakpoint of OpenAI',
    [text('A.', { prompt_cache_breakpoint: { mode: 'explicit' } })],
    [text('A.')],
    ['messages[].content[].prompt_cache_breakpoint'],
  ),
  ofParts(
    'an image as data',
    [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` }, ...MARK }],
    [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG }, ...MARK }],
  ),
  ofParts(
    'an image of another spelling',
    [{ type: 'image_url', image_url: { url: `data:image/JPG;base64,${PNG}`, detail: 'auto' } }],
    [{ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: PNG } }],
  ),
  ofParts(
    'an image by URL with a detail',
    [{ type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } }],
    [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
    ['messages[].content[].image_url.detail'],
  ),
  ofParts(
    'a PDF',
    [{ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } }],
    [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF }, title: 'a.pdf' }],
  ),
  ofParts(
    'a PDF as plain base64',
    [{ type: 'file', file: { file_data: PDF } }],
    [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }],
  ),
  ofParts(
    'a text file',
    [
      {
        type: 'file',
        file: { file_data: `data:text/markdown;base64,${Buffer.from('Grüße.').toString('base64')}` },
        ...MARK,
      },
    ],
    [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße.' }, ...MARK }],
  ),
  ofParts(
    'an image as a file',
    [{ type: 'file', file: { file_data: `data:image/webp;base64,${PNG}` } }],
    [{ type: 'image', source: { type: 'base64', media_type: 'image/webp', data: PNG } }],
  ),
  ofParts(
    'an uploaded file',
    [{ type: 'file', file: { file_id: 'file_1' } }],
    [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }],
  ),
  ofParts(
    'a block of the Messages API',
    [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A.' }, title: 'A' }],
    [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A.' }, title: 'A' }],
  ),
];

export const MESSAGE_SHAPES: readonly RequestShape[] = [...TEXTS, ...PARTS];
