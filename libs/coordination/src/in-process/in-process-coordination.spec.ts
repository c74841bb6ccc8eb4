import { describeCoordination } from '../contract/coordination.contract.js';
import { createInProcessCoordination } from './create-in-process-coordination.js';

describeCoordination('in-process coordination', (breakerPolicy) =>
  createInProcessCoordination(breakerPolicy && { breakerPolicy }),
);
