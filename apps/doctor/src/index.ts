export { type Diagnosis, type DoctorOptions, runDoctor } from './doctor.js';
export type { Finding, Verdict } from './report/finding.js';
export { runVerify, type Verification, type VerifyOptions } from './verify/verify.js';
