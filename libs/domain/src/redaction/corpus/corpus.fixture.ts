import type { CorpusGroup } from './corpus-group.fixture.js';
import { EMAIL_CORPUS } from './emails.fixture.js';
import { IP_CORPUS } from './ip-addresses.fixture.js';
import { KEY_CORPUS } from './keys.fixture.js';
import { NAMED_SECRET_CORPUS } from './named-secrets.fixture.js';
import { NATIONAL_ID_CORPUS } from './national-ids.fixture.js';
import { CARD_CORPUS, IBAN_CORPUS } from './payment-numbers.fixture.js';
import { PHONE_CORPUS } from './phones.fixture.js';

export const REDACTION_CORPUS: Readonly<Record<string, CorpusGroup>> = {
  email: EMAIL_CORPUS,
  phone: PHONE_CORPUS,
  card: CARD_CORPUS,
  iban: IBAN_CORPUS,
  'national id': NATIONAL_ID_CORPUS,
  ip: IP_CORPUS,
  'named secret': NAMED_SECRET_CORPUS,
  key: KEY_CORPUS,
};
