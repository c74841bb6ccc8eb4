// One module per country: the package's entry point loads all of them, which takes 0.4 s.
import { validate as validateCuit } from 'stdnum/lib/cjs/ar/cuit.js';
import { validate as validateVnr } from 'stdnum/lib/cjs/at/vnr.js';
import { validate as validateTfn } from 'stdnum/lib/cjs/au/tfn.js';
import { validate as validateBelgianNumber } from 'stdnum/lib/cjs/be/nn.js';
import { validate as validateEgn } from 'stdnum/lib/cjs/bg/egn.js';
import { validate as validateSin } from 'stdnum/lib/cjs/ca/sin.js';
import { validate as validateAhv } from 'stdnum/lib/cjs/ch/ssn.js';
import { validate as validateRut } from 'stdnum/lib/cjs/cl/rut.js';
import { validate as validateRic } from 'stdnum/lib/cjs/cn/ric.js';
import { validate as validateSvnr } from 'stdnum/lib/cjs/de/svnr.js';
import { validate as validateHetu } from 'stdnum/lib/cjs/fi/hetu.js';
import { validate as validateUtr } from 'stdnum/lib/cjs/gb/utr.js';
import { validate as validateAmka } from 'stdnum/lib/cjs/gr/amka.js';
import { validate as validateAfm } from 'stdnum/lib/cjs/gr/vat.js';
import { validate as validateOib } from 'stdnum/lib/cjs/hr/oib.js';
import { validate as validatePps } from 'stdnum/lib/cjs/ie/pps.js';
import { validate as validateIsraeliId } from 'stdnum/lib/cjs/il/idnr.js';
import { validate as validatePan } from 'stdnum/lib/cjs/in/pan.js';
import { validate as validateRrn } from 'stdnum/lib/cjs/kr/rrn.js';
import { validate as validateCurp } from 'stdnum/lib/cjs/mx/curp.js';
import { validate as validateRfc } from 'stdnum/lib/cjs/mx/rfc.js';
import { validate as validateNorwegianNumber } from 'stdnum/lib/cjs/no/fodselsnummer.js';
import { validate as validateNif } from 'stdnum/lib/cjs/pt/nif.js';
import { validate as validateCnp } from 'stdnum/lib/cjs/ro/cnp.js';
import { validate as validateInn } from 'stdnum/lib/cjs/ru/inn.js';
import { validate as validateBirthNumber } from 'stdnum/lib/cjs/sk/rc.js';
import { validate as validateKimlik } from 'stdnum/lib/cjs/tr/tckimlik.js';
import { validate as validateRntrc } from 'stdnum/lib/cjs/ua/rntrc.js';
import { validate as validateSouthAfricanId } from 'stdnum/lib/cjs/za/idnr.js';
import { isUsSsn } from './national-id-checks.js';

const CHECKS = {
  ar: validateCuit,
  at: validateVnr,
  au: validateTfn,
  be: validateBelgianNumber,
  bg: validateEgn,
  ca: validateSin,
  ch: validateAhv,
  cl: validateRut,
  cn: validateRic,
  deSocial: validateSvnr,
  fi: validateHetu,
  gbUtr: validateUtr,
  grAmka: validateAmka,
  grVat: validateAfm,
  hr: validateOib,
  ie: validatePps,
  il: validateIsraeliId,
  inPan: validatePan,
  kr: validateRrn,
  mxCurp: validateCurp,
  mxRfc: validateRfc,
  no: validateNorwegianNumber,
  pt: validateNif,
  ro: validateCnp,
  ru: validateInn,
  sk: validateBirthNumber,
  tr: validateKimlik,
  ua: validateRntrc,
  us: (id: string) => ({ isValid: isUsSsn(id) }),
  za: validateSouthAfricanId,
} as const;

/** National ids whose check digits the library `stdnum` knows, by country. */
export type StandardId = keyof typeof CHECKS;

/** True when `id`, in upper case without separators, passes the check of its country. */
export function isValidAs(standard: StandardId, id: string): boolean {
  return CHECKS[standard](id).isValid;
}
