import fc from 'fast-check';
import { computeJobPriority } from './compute-priority.js';

const NOW = Date.UTC(2026, 0, 1);
const position = (lane: number, bulk = false) => ({ lane, bulk });

describe('computeJobPriority', () => {
  it("puts a tenant's first job before the later ones of a tenant that floods", () => {
    const flood = Array.from({ length: 64 }, (_, lane) => computeJobPriority(NOW, position(lane)));
    const single = computeJobPriority(NOW + 1_000, position(0));
    expect(flood.filter((priority) => priority < single)).toHaveLength(0);
    expect(flood).toEqual(flood.toSorted((a, b) => a - b));
  });

  it('puts a job that has waited long enough before newer jobs', () => {
    const late = computeJobPriority(NOW, position(63, true));
    expect(computeJobPriority(NOW + 2_000 * (63 + 30) + 2_000, position(0))).toBeGreaterThan(late);
  });

  it('puts interactive work before bulk work of the last minute', () => {
    const bulk = computeJobPriority(NOW, position(0, true));
    expect(computeJobPriority(NOW + 59_000, position(0))).toBeLessThan(bulk);
    expect(computeJobPriority(NOW + 62_000, position(0))).toBeGreaterThan(bulk);
  });

  it('is always a number that BullMQ accepts', () => {
    fc.assert(
      fc.property(fc.nat(4e12), fc.nat(10_000), fc.boolean(), (now, lane, bulk) => {
        const priority = computeJobPriority(now, position(lane, bulk));
        expect(Number.isInteger(priority) && priority >= 1 && priority <= 2_097_152).toBe(true);
      }),
    );
  });
});
