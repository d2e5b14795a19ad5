import type { AccessReader } from '../../../src/kernel/access-reader';
import { screeningSettings } from '../../../src/modules/controls/screening-settings.decider';
import type { ScreeningSettingsEvent } from '../../../src/modules/controls/screening-settings.events';
import { ControlledScreening } from '../../../src/processes/controlled-screening';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'admin', id: 'adm_1' }, now: 0 } as const;
const setting = (timeoutMs: number) => ({ type: 'set_timeout', timeoutMs }) as const;
const set = (timeout_ms: number): ScreeningSettingsEvent => ({ type: 'ScreeningTimeoutSet', data: { timeout_ms } });

describe('the time of a screening', () => {
  it('is five seconds until it is set', () => {
    given(screeningSettings, []).when(setting(5_000), CONTEXT).then([]);
    given(screeningSettings, [])
      .when(setting(1), CONTEXT)
      .then([set(1)]);
    given(screeningSettings, [set(1)])
      .when(setting(30_000), CONTEXT)
      .then([set(30_000)]);
    given(screeningSettings, [set(1)])
      .when(setting(1), CONTEXT)
      .then([]);
  });

  it.each([0, -1, 30_001, 1.5, Number.NaN])('of %d ms are refused', timeoutMs => {
    given(screeningSettings, []).when(setting(timeoutMs), CONTEXT).thenRefused('invalid_screening_timeout');
  });

  it('holds from the next screening on', async () => {
    const transfer = { mode: 'live', network: 'base', payer: '0xa', recipient: '0xb' } as const;
    let document: object | null = null;
    const given: (number | undefined)[] = [];
    const screening = new ControlledScreening(
      {
        screen: (_, timeoutMs) => {
          given.push(timeoutMs);
          return Promise.resolve({ verdict: 'clear', source: 'test', reference: null });
        },
      },
      { read: () => Promise.resolve([document]) } as unknown as AccessReader,
      { get: () => Promise.resolve(null) },
    );
    await screening.screen(transfer);
    document = { body: { timeout_ms: 200 } };
    await screening.screen(transfer);
    expect(given).toEqual([5_000, 200]);
  });
});
