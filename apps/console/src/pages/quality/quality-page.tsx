import { PageHead } from '../../parts/page-head.tsx';
import { ConsolidationRuns } from './consolidation-runs.tsx';
import { Quarantine } from './quarantine.tsx';
import { WhatHappened } from './what-happened.tsx';

/** What was held back, what was not worth remembering, and what was tidied since. */
export default function QualityPage() {
  return (
    <>
      <PageHead title="Quality" call="GET /v1/quarantine" />
      <Quarantine />
      <WhatHappened />
      <ConsolidationRuns />
    </>
  );
}
