export { type Diagnosis, type DoctorOptions, runDoctor } from './doctor.js';
export type { Finding, Verdict } from './report/finding.js';
