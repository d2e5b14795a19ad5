import { ProviderState } from '../../../src/platform/chains/providers/provider-state';
import { refuse } from '../../../src/vocabulary/errors';

const restOf = (state: ProviderState<{ name: string }>, nowMs: number): number => {
  let restMs = 0;
  while (state.isResting(nowMs + restMs)) restMs += 500;
  return restMs;
};

test('a provider stands as its answers say', () => {
  const state = new ProviderState({ name: 'one.example' });
  const standing = (nowMs: number) => state.standing(nowMs);
  expect(standing(0)).toEqual({ host: 'one.example', state: 'unasked', answered_at: null });
  state.succeed(1_000);
  expect(standing(1_000)).toEqual({
    ...{ host: 'one.example', state: 'answering' },
    answered_at: '1970-01-01T00:00:01.000Z',
  });
  state.fail(2_000);
  expect(standing(2_000).state).toBe('resting');
  expect(standing(62_000).state).toBe('absent');
  state.lagging = true;
  expect(standing(62_000).state).toBe('lagging');
  state.exclude(refuse('provider_network_mismatch'), 62_000);
  expect(standing(62_000).state).toBe('excluded');
});

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
