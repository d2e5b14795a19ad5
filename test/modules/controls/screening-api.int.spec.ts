import { ControlsStage } from './controls-stage';

const LIMIT_MS = 60_000;

let controls: ControlsStage;
beforeAll(async () => {
  controls = await ControlsStage.open();
}, LIMIT_MS);
afterAll(() => controls.close(), LIMIT_MS);

it('gives the sources of screenings another time, and lists it', async () => {
  expect((await controls.act('screening', { timeout_ms: 0 })).code).toBe('invalid_screening_timeout');
  expect((await controls.act('screening', { timeout_ms: 30_001 })).code).toBe('invalid_screening_timeout');
  expect(await controls.act('screening', { timeout_ms: 250 })).toMatchObject({ status: 200 });
  expect((await controls.list('screening')).body).toMatchObject({
    data: [{ object: 'screening_settings', id: 'screening', timeout_ms: 250 }],
  });
});
