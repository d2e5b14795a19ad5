import { ProviderState } from '../../../src/platform/chains/providers/provider-state';

const restOf = (state: ProviderState<{ name: string }>, nowMs: number): number => {
  let restMs = 0;
  while (state.isResting(nowMs + restMs)) restMs += 500;
  return restMs;
};

describe('a provider that fails', () => {
  let state: ProviderState<{ name: string }>;

  beforeEach(() => {
    state = new ProviderState({ name: 'one.example' });
  });

  test('rests for twice as long each time that it fails after its rest', () => {
    const rests = [0, 10_000, 20_000].map(nowMs => {
      state.fail(nowMs);
      return restOf(state, nowMs);
    });
    expect(rests).toStrictEqual([1_000, 2_000, 4_000]);
  });

  test('rests no longer for many failures of one moment', () => {
    for (let nowMs = 0; nowMs < 900; nowMs += 100) state.fail(nowMs);
    expect(restOf(state, 0)).toBe(1_000);
    state.fail(1_000);
    expect(restOf(state, 1_000)).toBe(2_000);
  });
});
