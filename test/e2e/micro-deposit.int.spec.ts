import { TOKENS } from '../../src/vocabulary/tokens';
import { NETWORKS } from '../../src/vocabulary/networks';
import { Customer } from '../support/customer';
import { Merchant } from '../support/merchant';
import { ServiceInProcess } from '../support/service-in-process';
import { eventually } from '../support/service-process';

const LIMIT_MS = 60_000;
const AWAY = 'http://127.0.0.1:9';
/** The other networks have no local chain, and their providers do not answer. */
const BASE_ALONE = { SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY };
const TOKEN = TOKENS['usdc-base'];

/**
 * On a real chain: the service watches it, and a wallet stays unverified until its own address has sent the very
 * amount.
 */
describe('a wallet verified by a micro-deposit', () => {
  let service: ServiceInProcess;
  let merchant: Merchant;
  let owner: Customer;

  beforeAll(async () => {
    service = await ServiceInProcess.start(BASE_ALONE);
    merchant = Merchant.of(await service.register('Corner Shop'), service.url);
    owner = Customer.onSandbox(service.dataFolder, 'base');
  }, LIMIT_MS);

  afterAll(async () => {
    owner?.close();
    await service?.stop();
  });

  it(
    'is pending until the deposit is final, also over a restart, and then verified',
    async () => {
      const address = await owner.address;
      const terms = { network_id: 'base', address, label: 'Till', controls_private_key: true } as const;
      const wallet = await merchant.api.wallets.create(terms, { mfaCode: await merchant.codes.next() });
      const asked = await merchant.api.wallets.challenge(wallet.id, { method: 'micro_deposit' });
      if (!('token_amount' in asked)) throw new Error(`there is nothing to send in ${JSON.stringify(asked)}`);
      expect(asked).toMatchObject({ token_id: 'usdc-base', token_amount: expect.stringMatching(/^0\.00\d{1,4}$/) });
      const baseUnits = asked.token_amount.slice('0.'.length).padEnd(TOKEN.decimals, '0').replace(/^0+/, '');
      await owner.pay(TOKEN.contract.test, asked.address, baseUnits);
      await owner.mine(1);
      const proof = { mfaCode: await merchant.codes.next() };
      const pending = await merchant.api.wallets.verify(wallet.id, { method: 'micro_deposit' }, proof);
      expect(pending.status).toBe('pending');

      await service.restart();
      await owner.mine(NETWORKS.base.finality.test.standard.confirmations + 30);
      const verified = await eventually('the wallet is verified', LIMIT_MS, async () => {
        const standing = await merchant.api.wallets.retrieve(wallet.id);
        return standing.status === 'verified' ? standing : null;
      });
      expect(verified).toMatchObject({ id: wallet.id, address, verification: { method: 'micro_deposit' } });
      expect(await service.run('audit', 'verify')).toMatchObject({ intact: true });
    },
    2 * LIMIT_MS,
  );
});
