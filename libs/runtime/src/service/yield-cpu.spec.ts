import os from 'node:os';
import { yieldCpu } from './yield-cpu.js';

describe('a service that yields the CPU', () => {
  it('has a lower priority than other processes', () => {
    const setPriority = vi.fn();
    yieldCpu({ setPriority });
    const [priority] = setPriority.mock.calls[0] as [number];
    expect(priority).toBeGreaterThan(os.constants.priority.PRIORITY_NORMAL);
  });

  it('goes on where that is not allowed', () => {
    const setPriority = () => {
      throw new Error('EACCES');
    };
    expect(() => yieldCpu({ setPriority })).not.toThrow();
  });
});
