import { isIP } from 'node:net';
import { z } from 'zod';

/** One environment variable: its documentation, and how its text is parsed. */
export interface Variable<T> extends Format<T>, VariableMetadata {
  /** Its name in the environment. */
  readonly name: string;
  /** Text used when the variable is missing or empty. */
  readonly default?: string;
  /** What happens without the variable, for one that is neither required nor has a default. */
  readonly whenMissing?: string;
}

/** How the text of a variable is parsed. */
export interface Format<T> {
  readonly schema: z.ZodType<T, string>;
  /** Completes "NAME must be …" in errors and documentation. */
  readonly expects: string;
}

interface VariableMetadata {
  readonly description: string;
  readonly unit?: string;
  readonly secret?: boolean;
}

/** A variable with a default. */
export function withDefault<T>(
  name: string,
  format: Format<T>,
  defaultText: string,
  metadata: VariableMetadata,
): Variable<T> {
  return { name, ...format, ...metadata, default: defaultText };
}

/** A variable the process cannot start without. */
export function required<T>(name: string, format: Format<T>, metadata: VariableMetadata): Variable<T> {
  return { name, ...format, ...metadata };
}

/** A variable that may be left out; `whenMissing` describes what happens then. */
export function optional<T>(
  name: string,
  format: Format<T>,
  whenMissing: string,
  metadata: VariableMetadata,
): Variable<T | undefined> {
  return { name, ...format, ...metadata, whenMissing };
}

export function integer(min: number, max: number): Format<number> {
  return {
    expects: `a whole number from ${min} to ${max}`,
    schema: z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
  };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A number of days, as ms. */
export function days(min: number, max: number): Format<number> {
  const { expects, schema } = integer(min, max);
  return { expects, schema: schema.transform((count) => count * DAY_MS) };
}

const upToOne = z
  .string()
  .regex(/^(?:0|1|[01]?\.\d{1,6})$/)
  .transform(Number)
  .pipe(z.number().max(1));

/** A share of a whole: `0.5`. */
export function fraction(): Format<number> {
  return { expects: 'a number above 0 and up to 1', schema: upToOne.pipe(z.number().gt(0)) };
}

/** A share of a whole, 0 included: `0.2`. */
export function share(): Format<number> {
  return { expects: 'a number from 0 to 1', schema: upToOne };
}

const MICRO_USD_DIGITS = 6;

/**
 * An amount in US dollars, as a whole number of micro-USD. Parsed digit by digit, because floating point would round
 * budgets: `0.1` is exactly 100 000.
 */
export function money(): Format<number> {
  return {
    expects: `an amount in US dollars with at most ${MICRO_USD_DIGITS} decimals, such as \`12.5\``,
    schema: z
      .string()
      .regex(/^-?\d{1,9}(?:\.\d{1,6})?$/)
      .transform(toMicroUsd),
  };
}

function toMicroUsd(text: string): number {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const amount = Number(`${whole}${decimals.padEnd(MICRO_USD_DIGITS, '0')}`);
  return text.startsWith('-') && amount > 0 ? -amount : amount;
}

export function oneOf<const W extends readonly [string, ...string[]]>(words: W): Format<W[number]> {
  return {
    expects: words.length === 1 ? `\`${words[0]}\`` : `one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    schema: z.enum(words) as z.ZodType<W[number], string>,
  };
}

/** Some of `words`, separated by commas, each at most once, in the order given. */
export function listOf<const W extends readonly [string, ...string[]]>(words: W): Format<readonly W[number][]> {
  const word = z.enum(words) as z.ZodType<W[number], string>;
  return {
    expects: `a list of ${words.map((one) => `\`${one}\``).join(', ')}, separated by commas, without duplicates`,
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(word).refine((list) => new Set(list).size === list.length)),
  };
}

export function flag(): Format<boolean> {
  return {
    expects: '`true` or `false`',
    schema: z.enum(['true', 'false']).transform((text) => text === 'true') as z.ZodType<boolean, string>,
  };
}

export function singleLine(expects = 'some text'): Format<string> {
  return { expects, schema: z.string().regex(/^[^\p{Cc}]+$/u) };
}

/** Printable ASCII without spaces, so that it survives headers, shells and files. */
export function secretText(minLength: number): Format<string> {
  return {
    expects:
      minLength > 1
        ? `at least ${minLength} printable characters without spaces`
        : 'printable characters without spaces',
    schema: z
      .string()
      .min(minLength)
      .max(512)
      .regex(/^[\x21-\x7e]+$/),
  };
}

/** Several of them, separated by spaces. */
export function secretTexts(minLength: number): Format<readonly string[]> {
  const { schema, expects } = secretText(minLength);
  return {
    expects: `one or more keys of ${expects}, separated by spaces`,
    schema: z
      .string()
      .transform((text) => text.split(' ').filter((part) => part !== ''))
      .pipe(z.array(schema).min(1)),
  };
}

const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

export function country(): Format<string> {
  return {
    expects: 'two capital letters of a country (ISO 3166)',
    schema: z.string().refine(isCountry),
  };
}

/** Former and unofficial codes, such as UK, are no countries for what reads telephone numbers. */
function isCountry(text: string): boolean {
  if (!/^[A-Z]{2}$/.test(text) || text === 'ZZ') return false;
  return REGIONS.of(text) !== undefined && new Intl.Locale(`und-${text}`).region === text;
}

export function pattern(expects: string, regex: RegExp): Format<string> {
  return { expects, schema: z.string().regex(regex) };
}

const ADDRESS_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** IP addresses and CIDR ranges, separated by commas: `10.0.0.0/8, fd00::1`. */
export function addresses(): Format<readonly string[]> {
  return {
    expects: 'IP addresses or ranges such as `10.0.0.0/8`, separated by commas',
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(z.string().refine(isAddressOrRange))),
  };
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = ADDRESS_BITS[isIP(address)];
  if (maxBits === undefined || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
}

/** Host names and addresses without a port, separated by commas, in lower case: `memory.example.com, [::1]`. */
export function hostNames(): Format<readonly string[]> {
  return {
    expects: 'host names without port such as `memory.example.com`, separated by commas',
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim().toLowerCase()))
      .pipe(z.array(z.string().refine(isHostName))),
  };
}

function isHostName(text: string): boolean {
  return /^[\w.[\]:-]+$/.test(text) && URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text;
}

/** Several URLs, separated by commas. */
export function urls(protocols: readonly string[]): Format<readonly string[]> {
  const { schema } = url('', protocols);
  return {
    expects: `URLs that begin with ${protocols.map((protocol) => `\`${protocol}//\``).join(' or ')}, separated by commas`,
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(schema)),
  };
}

export function url(expects: string, protocols: readonly string[]): Format<string> {
  return {
    expects,
    schema: z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)),
  };
}

/** The URL of a server: of one host, and with every special character percent-encoded, or clients fail to read it. */
export function serverUrl(protocols: readonly string[], isComplete: (parsed: URL) => boolean): Format<string> {
  const schemes = protocols.map((protocol) => `\`${protocol}//\``).join(' or ');
  return {
    expects: `a ${schemes} URL of one host, with special characters in user and password percent-encoded (\`#\` as \`%23\`)`,
    schema: z.string().refine((value) => {
      if (!URL.canParse(value)) return false;
      const parsed = new URL(value);
      return (
        protocols.includes(parsed.protocol) &&
        parsed.hash === '' &&
        !parsed.hostname.includes(',') &&
        isDecodable(`${parsed.username}${parsed.password}${parsed.pathname}`) &&
        isComplete(parsed)
      );
    }),
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
