import { yieldCpu } from './yield-cpu.js';

describe('a service that yields the CPU', () => {
  it('takes the niceness that it is given', () => {
    const setPriority = vi.fn();
    yieldCpu(10, { setPriority });
    expect(setPriority.mock.calls).toEqual([[10]]);
  });

  it('goes on where that is not allowed', () => {
    const setPriority = () => {
      throw new Error('EACCES');
    };
    expect(() => yieldCpu(10, { setPriority })).not.toThrow();
  });
});
