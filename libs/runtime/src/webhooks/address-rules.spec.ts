import fc from 'fast-check';
import { AddressRules } from './address-rules.js';

const STRICT = new AddressRules({ allowedNetworks: [], allowsHttp: false });
const refuses = (url: string, rules = STRICT) => rules.explainRefusal(new URL(url)) !== null;

/** One address of each network that is not public, and both ends of some. */
const NOT_PUBLIC = {
  'this host': ['0.0.0.0', '0.255.255.255', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::a9fe:a9fe'],
  'metadata of Azure and AWS': ['168.63.129.16', 'fd00:ec2::254'],
  'unique local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  broadcast: ['255.255.255.255'],
  reserved: ['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '2001:db8::1'],
  'IPv4 in IPv6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:10.0.0.1', '::7f00:1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:a00:1::', '192.88.99.1', '2001::1'],
  'discard, benchmarks and what is not assigned': ['100::1', '2001:2::1', '4000::1', '5f00::1', '3fff::1'],
  'no address': ['', 'localhost', '127.1', '0x7f.1', 'fe80::1%eth0', '1.2.3.4/8'],
} as const;

describe('AddressRules', () => {
  it.each(Object.entries(NOT_PUBLIC))('allows no address of %s', (_name, addresses) => {
    expect(addresses.filter((address) => STRICT.isAllowed(address))).toEqual([]);
  });

  it('allows public addresses', () => {
    const addresses = [
      '8.8.8.8',
      '1.1.1.1',
      '172.15.255.255',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00::1',
    ];
    expect(addresses.filter((address) => !STRICT.isAllowed(address))).toEqual([]);
  });

  it('allows nothing in IPv6 outside of what the networks of the world route', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(address.startsWith('::') ? '0' : address, 16);
        if (STRICT.isAllowed(address)) expect(first >= 0x2000 && first < 0x4000).toBe(true);
      }),
    );
  });

  it('allows the networks that the operator names, and none beside them', () => {
    const rules = new AddressRules({ allowedNetworks: ['10.1.0.0/16', '127.0.0.1', 'fd00::/64'], allowsHttp: false });
    expect(['10.1.2.3', '127.0.0.1', 'fd00::5', '8.8.8.8'].every((address) => rules.isAllowed(address))).toBe(true);
    expect(['10.2.0.1', '127.0.0.2', 'fd00:0:0:1::5', '::ffff:10.1.2.3'].filter((a) => rules.isAllowed(a))).toEqual([]);
  });

  it('refuses every spelling of an address inside: decimal, octal, hexadecimal, short and mapped', () => {
    const spellings = [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '017700000001',
      '127.1',
      '127.0.1',
      '127.0.0.1.',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:0:0:1]',
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::a9fe:a9fe]',
      '①②⑦.⓪.⓪.①',
    ];
    expect(spellings.filter((host) => !refuses(`https://${host}/hook`))).toEqual([]);
    expect(
      ['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://134744072/'].filter((url) => refuses(url)),
    ).toEqual([]);
  });

  it.each([
    ['http://example.com/hook', 'https://'],
    ['ftp://example.com/hook', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['https://user@example.com/', 'user name and password'],
    ['https://user:word@example.com/', 'user name and password'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://10.0.0.1/', 'ANNALS_WEBHOOKS_ALLOWED_NETWORKS'],
  ])('says what to change about %s', (url, part) => {
    expect(STRICT.explainRefusal(new URL(url))).toContain(part);
  });

  it('takes names, with any port that is no system service, and http where the operator allows it', () => {
    for (const url of ['https://example.com/hook?a=b', 'https://example.com:8443/', 'https://example.com:80/']) {
      expect([url, refuses(url)]).toEqual([url, false]);
    }
    const open = new AddressRules({ allowedNetworks: [], allowsHttp: true });
    expect([refuses('http://example.com/', open), refuses('ftp://example.com/', open)]).toEqual([false, true]);
  });
});
