import type { ErrorCode } from '../../../src/vocabulary/errors';
import type { Screening } from '../../../src/kernel/ports/screening';
import { canonicalAddress } from '../../../src/modules/wallets/address';
import { ControlledScreening } from '../../../src/processes/controlled-screening';
import { ControlsStage } from './controls-stage';

const LIMIT_MS = 60_000;
const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const ID = PAYER.slice(2).toLowerCase();
const ENTRY = { address: PAYER, network: 'base', list_source: 'ofac-sdn', reference: 'uid 12345' };

let controls: ControlsStage;
let screening: Screening;
beforeAll(async () => {
  controls = await ControlsStage.open();
  const { access, readModels } = controls.there.parts.core;
  const clear: Screening = { screen: () => Promise.resolve({ verdict: 'clear', source: 'others', reference: null }) };
  screening = new ControlledScreening(clear, access, readModels);
}, LIMIT_MS);
afterAll(() => controls.close(), LIMIT_MS);

const screen = (network: 'base' | 'bnb' | 'tron', payer: string) =>
  screening.screen({ mode: 'live', network, payer, recipient: PAYER });
const clear = { verdict: 'clear', source: 'others', reference: null };
const listed = { verdict: 'high_risk', source: 'ofac-sdn', reference: 'uid 12345' };

it('holds a payer from the next screening on, wherever it happens, until the entry is removed', async () => {
  expect(await screen('base', PAYER)).toEqual(clear);
  expect(await controls.act('sanctions', ENTRY)).toMatchObject({ status: 200, body: { target: ID, made: ID } });
  expect(await screen('base', PAYER)).toEqual(listed);
  expect(await screen('bnb', PAYER)).toEqual(listed);
  expect(await screen('base', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')).toEqual(clear);
  // The same key on TRON.
  expect(await screen('tron', canonicalAddress('tron', `41${ID}`))).toEqual(listed);

  const removal = { network: 'base', list_source: 'ofac-sdn', reason: 'Taken off the list.' };
  expect((await controls.act('sanctions/none/remove', removal)).code).toBe('resource_missing');
  await controls.act(`sanctions/${ID}/remove`, removal);
  expect(await screen('base', PAYER)).toEqual(clear);
});

it.each<[object, ErrorCode]>([
  [{ address: `${PAYER.slice(0, -1)}7` }, 'invalid_sanctions_address'],
  [{ address: 12 }, 'invalid_sanctions_address'],
  [{ network: 'tron' }, 'invalid_sanctions_address'],
  [{ network: 'bitcoin' }, 'invalid_sanctions_entry'],
  [{ list_source: ' ' }, 'invalid_sanctions_entry'],
  [{ reference: '' }, 'invalid_sanctions_entry'],
])('%j is refused with %s', async (changes, code) => {
  expect((await controls.act('sanctions', { ...ENTRY, ...changes })).code).toBe(code);
});

it('names an address once for each list and network, and lists it with its sources and dates', async () => {
  await controls.act('sanctions', { ...ENTRY, list_source: 'eu' });
  expect((await controls.act('sanctions', { ...ENTRY, list_source: 'eu', reference: 'other' })).code).toBe(
    'duplicate_sanctions_entry',
  );
  expect(await controls.act('sanctions', { ...ENTRY, list_source: 'eu', network: 'bnb' })).toMatchObject({
    status: 200,
  });
  const { body } = await controls.list('sanctions');
  expect(body.data).toEqual([
    {
      ...{ object: 'sanctioned_address', id: ID, created: expect.any(String) },
      entries: ['base', 'bnb'].map(network => ({ ...ENTRY, list_source: 'eu', network, added_at: expect.any(String) })),
    },
  ]);
});
