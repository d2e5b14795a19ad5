import { Jobs, repeat } from '../../src/kernel/jobs';
import { ofChain, payUri } from '../../src/modules/quotes/pay-uri';
import { stepAt, totpTerms } from '../../src/modules/users/totp';
import { assertPayable } from '../../src/modules/wallets/payable-wallet';
import { callerOf } from '../../src/platform/http/caller';
import { AddressResolver } from '../../src/platform/webhooks/address-resolver';
import { graceWindow, timeToLive } from '../../src/vocabulary/durations';
import type { ErrorCode } from '../../src/vocabulary/errors';
import { onGrid, TOKENS } from '../../src/vocabulary/tokens';

const ADDRESS = '0x00000000219ab540356cBB839Cbe05303d7705Fa';
const USDC = TOKENS['usdc-base'];
const TOTP = { digits: 6, stepSeconds: 30, stepsAhead: 1 };
const PAYABLE = {
  status: 'verified',
  verification: { method: 'signed_message', verified_at: '2026-11-01T12:00:00.000Z' },
  network_id: 'base',
  address: ADDRESS,
} as const;
const idle = (): Promise<void> => Promise.resolve();
const rounds = (everyMs: number) => ({ everyMs, clock: { wait: idle }, onFault: () => undefined });
const withoutGuard = { switchToHttp: () => ({ getRequest: () => ({}) }) } as unknown as Parameters<typeof callerOf>[0];

const startedTwice = (id: string): void => {
  const jobs = new Jobs(AbortSignal.abort());
  jobs.start(id, idle);
  jobs.start(id, idle);
};

const REFUSED: readonly (readonly [ErrorCode, string, () => unknown])[] = [
  ['invalid_ttl', 'a life of no milliseconds', () => timeToLive(0)],
  ['invalid_ttl', 'a life in parts of a millisecond', () => timeToLive(0.5)],
  ['invalid_grace_window', 'no time for late money', () => graceWindow(0)],
  ['invalid_step', 'a grid without a step', () => onGrid({ ...USDC, stepBaseUnits: 0n })],
  ['invalid_spacing', 'amounts closer than two tolerances', () => onGrid({ ...USDC, stepBaseUnits: 7n })],
  ['invalid_totp_digits', 'codes of eight digits', () => totpTerms({ ...TOTP, digits: 8 })],
  ['invalid_totp_time_step', 'codes of a minute', () => totpTerms({ ...TOTP, stepSeconds: 60 })],
  ['invalid_totp_window', 'two steps of drift', () => totpTerms({ ...TOTP, stepsAhead: 2 })],
  ['invalid_totp_time', 'a moment before 1970', () => stepAt(-1)],
  [
    'invalid_token_contract',
    'a look-alike token',
    () => payUri({ ...USDC, contract: { live: ADDRESS, test: ADDRESS } }, 'live', ADDRESS, 1n),
  ],
  ['missing_chain_id', 'a link without a chain', () => ofChain(null)],
  ['missing_chain_id', 'a link of chain 0', () => ofChain(0)],
  [
    'verification_invariant',
    'a verified wallet without evidence',
    () => assertPayable({ ...PAYABLE, verification: null }),
  ],
  [
    'verification_invariant',
    'evidence of an unverified wallet',
    () => assertPayable({ ...PAYABLE, status: 'pending' }),
  ],
  ['invalid_wallet_address', 'a quote to an address of TRON', () => assertPayable({ ...PAYABLE, network_id: 'tron' })],
  [
    'invalid_wallet_address',
    'a quote to lower case',
    () => assertPayable({ ...PAYABLE, address: ADDRESS.toLowerCase() }),
  ],
  ['egress_resolver_required', 'deliveries by an empty list of resolvers', () => new AddressResolver([])],
  ['egress_resolver_required', 'deliveries without resolvers', () => new AddressResolver(null, () => [])],
  ['duplicate_job', 'a second loop of one id', () => startedTwice('rates')],
  ['invalid_job', 'a loop without an id', () => startedTwice('')],
  ['missing_principal', 'a caller where no guard stood', () => callerOf(withoutGuard)],
];

it.each(REFUSED)('%s: %s is refused before anything is done', (code, _, make) => {
  expect(make).toThrow(expect.objectContaining({ code }));
});

it.each([0, -1, 0.5, Number.NaN])('invalid_job_interval: no round comes each %p ms', async everyMs => {
  const round = jest.fn(idle);
  const repeating = repeat(round, rounds(everyMs), new AbortController().signal);
  await expect(repeating).rejects.toMatchObject({ code: 'invalid_job_interval' });
  expect(round).not.toHaveBeenCalled();
});

it('takes what the service is made of', () => {
  expect([totpTerms(TOTP), timeToLive(1), graceWindow(1), ofChain(8453)]).toEqual([TOTP, 1, 1, 8453]);
  expect(Object.values(TOKENS).map(onGrid)).toEqual(Object.values(TOKENS));
  expect(() => assertPayable(PAYABLE)).not.toThrow();
  expect(() => new AddressResolver()).not.toThrow();
});

it('goes on with the next round after a fault, and ends with its signal', async () => {
  const life = new AbortController();
  const faults: unknown[] = [];
  let count = 0;
  const round = async (): Promise<void> => {
    if (++count === 3) life.abort();
    throw new Error(`round ${count}`);
  };
  await repeat(round, { ...rounds(1), onFault: error => faults.push(error) }, life.signal);
  expect(faults.map(String)).toEqual(['Error: round 1', 'Error: round 2', 'Error: round 3']);
});
