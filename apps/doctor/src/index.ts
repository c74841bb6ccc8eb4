export { type Diagnosis, type DoctorOptions, runDoctor } from './doctor.js';
export type { Finding, Verdict } from './report.js';
export { runVerify, type Verification, type VerifyOptions } from './verify/verify.js';
