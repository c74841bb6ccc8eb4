import ipaddr from 'ipaddr.js';

export interface AddressSettings {
  /** Networks in CIDR notation, or addresses, that may be reached although they are not public. */
  readonly allowedNetworks: readonly string[];
  readonly allowsHttp: boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that the world's networks route; whatever else is within IPv6 is for something special. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Public by its range, and yet the metadata service of every machine on Azure. */
const AZURE_METADATA = '168.63.129.16';

const FIRST_UNPRIVILEGED_PORT = 1_024;
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Where webhooks may be sent to (docs/reference/webhooks.md#addresses). */
export class AddressRules {
  private readonly allowed: readonly [Address, number][];

  constructor(private readonly settings: AddressSettings) {
    this.allowed = settings.allowedNetworks.map((network) => {
      const bits = ipaddr.parse(network.split('/')[0]!).kind() === 'ipv4' ? 32 : 128;
      return ipaddr.parseCIDR(network.includes('/') ? network : `${network}/${bits}`);
    });
  }

  /** Whether a connection to the address may be opened: a public one, or one of an allowed network. */
  isAllowed(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    return this.allowed.some(([network, bits]) => isWithin(address, network, bits)) || isPublic(address);
  }

  /** Why a URL is refused, as a sentence that says what to send instead; null when its host is still to be resolved. */
  explainRefusal(url: URL): string | null {
    const { allowsHttp } = this.settings;
    if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:')) {
      return allowsHttp ? 'Send a URL that begins with https:// or http://.' : 'Send a URL that begins with https://.';
    }
    if (url.username !== '' || url.password !== '') return 'Remove user name and password from the URL.';
    if (url.href.includes('#')) return 'Remove the fragment (#…) from the URL: it would not be sent.';
    const port = Number(url.port);
    if (url.port !== '' && port < FIRST_UNPRIVILEGED_PORT && !WEB_PORTS.has(port)) {
      return 'Send a URL with port 443, 80 or one from 1024 on.';
    }
    const literal = hostAddress(url);
    if (literal !== null && !this.isAllowed(literal)) {
      return 'Send a URL with a public address: private ones are reached only if ANNALS_WEBHOOKS_ALLOWED_NETWORKS names them.';
    }
    return null;
  }
}

/** The address that a URL names in place of a host name. The URL parser has read its octal and hexadecimal spellings. */
export function hostAddress({ hostname }: URL): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(text) ? text : null;
}

function isWithin(address: Address, network: Address, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function isPublic(address: Address): boolean {
  if (address.toString() === AZURE_METADATA || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}
