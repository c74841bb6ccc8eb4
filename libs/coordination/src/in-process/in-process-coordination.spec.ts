import { describeCoordination } from '../contract/coordination.contract.js';
import { createInProcessCoordination } from './create-in-process-coordination.js';

describeCoordination('coordination in one process', (breakerPolicy) =>
  createInProcessCoordination(breakerPolicy && { breakerPolicy }),
);
