import { onStage } from '../frame/stage.ts';
import type { Suite } from '../frame/suite.ts';
import { floodRateGate } from '../gates/flood-rate-gate.ts';
import { openGates } from '../gates/gate-place.ts';
import { measureBudget } from '../gates/measure-budget.ts';
import { measureLedger } from '../gates/measure-ledger.ts';
import { measureOtherGates } from '../gates/measure-other-gates.ts';
import { proveExactness } from '../gates/prove-exactness.ts';

/** T12: what every call of a remote model waits for before and after it. */
export const benchGates: Suite = (options) =>
  onStage(options, async ({ place }) => {
    const coordination = openGates(place);
    try {
      return [
        ...(await measureBudget(place, coordination, options)),
        await proveExactness(place, coordination),
        ...(await measureOtherGates(place, coordination, options)),
        ...(await floodRateGate(place, coordination, options)),
        ...(await measureLedger(place, coordination, options)),
      ];
    } finally {
      await coordination.close();
    }
  });
