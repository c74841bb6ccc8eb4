import { parseOptions, parseStartupPacket } from './startup-packet.js';

function packet(code: number, ...strings: string[]): Buffer {
  const body = Buffer.from(strings.map((text) => `${text}\0`).join('') + (strings.length > 0 ? '\0' : ''));
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(code, 4);
  return Buffer.concat([head, body]);
}

describe('the first packet of a connection', () => {
  it('contains settings in its options, in every notation a server accepts', () => {
    const options = '-c search_path=bullmq,public --role=annals_app -cwork_mem=4MB --lock-timeout=5';
    expect([...parseOptions(options)]).toEqual([
      ['search_path', 'bullmq,public'],
      ['role', 'annals_app'],
      ['work_mem', '4MB'],
      ['lock_timeout', '5'],
    ]);
  });

  it('takes the character after a backslash literally', () => {
    expect(parseOptions('-c search_path="My\\ Schema",\\\\x').get('search_path')).toBe('"My Schema",\\x');
  });

  it('treats other parameters as settings, except user, database and client_encoding', () => {
    const bytes = packet(
      3 << 16,
      'user',
      'postgres',
      'database',
      'x',
      'application_name',
      'relay',
      'client_encoding',
      'UTF8',
    );
    expect(parseStartupPacket(bytes)).toEqual({ kind: 'startup', settings: new Map([['application_name', 'relay']]) });
  });

  it.each([
    [80877103, 'encryption-request'],
    [80877104, 'encryption-request'],
    [80877102, 'cancel-request'],
    [2 << 16, 'unsupported'],
  ])('number %d is a %s', (code, kind) => {
    expect(parseStartupPacket(packet(code)).kind).toBe(kind);
  });
});
