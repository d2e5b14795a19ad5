import { JsonRpcProvider } from 'ethers';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { searchSize } from '../levels/search-size';
import { Customer, developmentWallet } from '../support/customer';
import { SandboxShop } from '../support/sandbox-shop';
import { eventually } from '../support/service-process';
import { ServiceInProcess } from '../support/service-in-process';
import { TronCustomer } from '../support/tron-customer';
import { CheckoutCustomer } from '../web/checkout-customer';
import { inBrowser } from '../web/in-browser';
import { countTransfers } from '../web/transferred';
import { stubEvmWallet, stubTronWallet } from '../web/stub-wallets';
import type { Visit } from '../web/visit';

const LIMIT_MS = 120_000;
const STEP_MS = 30_000;
const OWNER_INDEX = 5;
const PAYER_INDEX = 3;
/** More than any payment of these tests waits for. */
const BLOCKS = 40;
/** Networks, each with a token and the network's name. */
const EVM_NETWORKS = (
  [
    ['base', 'USDC', 'Base'],
    ['bnb', 'USDT', 'BNB'],
  ] as const
).slice(0, searchSize('CHECKOUT_EVM_NETWORKS', { small: 1, full: 2 }));
const CHAIN_IDS = { base: '0x14a34', bnb: '0x61' } as const;

type LoggedRequest = {
  readonly msg: string;
  readonly method: string;
  readonly route: string | null;
  readonly key_id: string | null;
};
/** Routes that a browser asks from the choice to the receipt. The stream of changes is no answer: no line tells it. */
const ROUTES = [
  'GET /assets/:name',
  'GET /checkout/:id',
  'GET /checkout/:id/receipt',
  'POST /checkout/:id/claims',
  'POST /checkout/:id/method',
];

inBrowser('a customer on each network of the sandbox', start => {
  let service: ServiceInProcess;
  beforeAll(async () => {
    service = await ServiceInProcess.start({ SANDBOX_CHAINS: 'on', LOG_LEVEL: 'info' });
  }, LIMIT_MS);
  afterAll(() => service?.stop(), LIMIT_MS);

  /** The routes that were asked for without a key since the log had so many lines, each once. */
  function keylessRoutes(since: number): readonly string[] {
    const lines = service.logged.slice(since).map(line => JSON.parse(line) as LoggedRequest);
    const answered = lines.filter(({ msg, key_id }) => msg === 'request answered' && key_id === null);
    return [...new Set(answered.map(({ method, route }) => `${method} ${route}`))].sort();
  }

  /** From the choice to the receipt, on the routes of pages alone, as the service's log shows. */
  async function pays(
    visit: Visit,
    shop: SandboxShop,
    token: string,
    network: string,
    wallet: string,
    mine: () => Promise<unknown>,
  ): Promise<void> {
    const since = service.logged.length;
    const { id, checkout_url } = (await shop.create()) as { id: string; checkout_url: string };
    const customer = new CheckoutCustomer(visit);
    await customer.choose(checkout_url, token, network);
    const { payment_method: method } = await shop.payment(id);
    expect(await customer.readAmount()).toBe(method.token_amount);
    expect(await customer.readAddress()).toBe(method.address);
    await customer.payWith(wallet);
    await visit.page.locator('.screen:not(.awaiting)').waitFor({ timeout: STEP_MS });
    await mine();
    await customer.seesTitle('Paid', STEP_MS);
    const { status, transfers } = await shop.payment(id);
    expect([status, transfers.length]).toStrictEqual(['confirmed', 1]);
    const receipt = await customer.openReceipt();
    expect(receipt).toContain(`Transaction: ${transfers[0].tx_hash}`);
    expect(receipt).toContain(`Paid: ${method.token_amount} ${token}`);
    expect(keylessRoutes(since)).toStrictEqual(ROUTES);
  }

  it.each(EVM_NETWORKS)(
    'pays on %s with a wallet of the browser',
    async (network, token, name) => {
      const shop = await SandboxShop.openOnEvm(service, `Shop on ${network}`, OWNER_INDEX, network);
      const state = path.join(service.dataFolder, `sandbox-${network}.json`);
      const { port } = JSON.parse(readFileSync(state, 'utf8')) as { port: number };
      const provider = new JsonRpcProvider(`http://127.0.0.1:${port}`, undefined, { staticNetwork: true });
      const payer = developmentWallet(PAYER_INDEX).connect(provider);
      const blocks = Customer.onSandbox(service.dataFolder, network);
      const visit = await start();
      const calls = await stubEvmWallet(visit, {
        address: payer.address,
        chainId: CHAIN_IDS[network],
        // The very call data of the page goes to the chain.
        send: async ({ to, data, value }) => (await payer.sendTransaction({ to, data, value })).hash,
      });
      try {
        await pays(visit, shop, token, name, 'Stub Wallet', () => blocks.mine(BLOCKS));
        expect(calls.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1);
      } finally {
        blocks.close();
        provider.destroy();
      }
    },
    LIMIT_MS,
  );

  it(
    'chooses, copies, switches the code and names a transaction by the keyboard alone',
    async () => {
      const shop = await SandboxShop.openOnEvm(service, 'Shop for keyboards', OWNER_INDEX);
      const { id, checkout_url } = (await shop.create()) as { id: string; checkout_url: string };
      const visit = await start();
      const customer = new CheckoutCustomer(visit);
      const { page } = visit;
      await visit.open(checkout_url);
      await customer.tabTo('#offer-usdc-base');
      await page.keyboard.press('Space');
      await customer.tabTo('.choice button');
      await page.keyboard.press('Enter');
      await customer.seesTitle('Send exactly this amount');
      await customer.tabTo('.copy');
      await page.keyboard.press('Enter');
      await page.locator('#said', { hasText: 'Copied' }).waitFor();
      await customer.tabTo('#code-address');
      await page.keyboard.press('ArrowRight');
      await page.locator('.of-link svg').waitFor();
      await customer.tabTo('.claim summary');
      await page.keyboard.press('Enter');
      await customer.tabTo('#tx-hash');
      await page.keyboard.type('5550001234');
      await page.keyboard.press('Enter');
      await customer.seesTitle('The search for your payment');
      expect((await shop.payment(id)).claims).toMatchObject([{ reference: '5550001234' }]);
    },
    LIMIT_MS,
  );

  it(
    'pays from a wallet of their own, and sees it arrive, without script',
    async () => {
      const shop = await SandboxShop.openOnEvm(service, 'Shop without script', OWNER_INDEX);
      const { id, checkout_url } = (await shop.create()) as { id: string; checkout_url: string };
      const visit = await start({ script: false });
      const customer = new CheckoutCustomer(visit);
      await customer.choose(checkout_url, 'USDC', 'Base');
      const payer = Customer.onSandbox(service.dataFolder, 'base');
      try {
        const { payment_method: method } = await shop.payment(id);
        const baseUnits = (await customer.readAmount()).replace('.', '');
        await payer.pay(method.token_contract, await customer.readAddress(), baseUnits);
        await payer.mine(BLOCKS);
        await eventually('a confirmed payment', STEP_MS, async () =>
          (await shop.status(id)) === 'confirmed' ? true : null,
        );
      } finally {
        payer.close();
      }
      await visit.page.getByRole('link', { name: 'Look again' }).click();
      await customer.seesTitle('Paid');
      expect((await customer.openReceipt()).join()).toContain('27.');
    },
    LIMIT_MS,
  );

  it(
    'gets a page of 20 kB at most, with a script of 4 kB at most',
    async () => {
      const shop = await SandboxShop.openOnEvm(service, 'Shop of small pages', OWNER_INDEX);
      const { checkout_url } = (await shop.create()) as { checkout_url: string };
      await new CheckoutCustomer(await start()).choose(checkout_url, 'USDC', 'Base');
      const visit = await start();
      const transferred = await countTransfers(visit);
      await visit.open(checkout_url);
      await visit.page.locator('.copy').first().waitFor();
      const { whole, byKind } = transferred();
      expect(Object.keys(byKind).sort()).toStrictEqual(['Document', 'Script', 'Stylesheet']);
      // Headers are counted as well: they are some 700 bytes an answer.
      expect(byKind['Script']).toBeLessThanOrEqual(4_700);
      expect(byKind['Stylesheet']).toBeLessThanOrEqual(6_700);
      expect(byKind['Document']).toBeLessThanOrEqual(12_000);
      expect(whole).toBeLessThanOrEqual(20_000);
      if (process.env['SHOW_WEIGHTS']) console.info({ whole, ...byKind });
    },
    LIMIT_MS,
  );

  it(
    'pays on tron with TronLink',
    async () => {
      const owner = await TronCustomer.onSandbox(service.dataFolder, OWNER_INDEX);
      const payer = await TronCustomer.onSandbox(service.dataFolder);
      try {
        const shop = await SandboxShop.open(service, 'Shop on tron', {
          network: 'tron',
          tokenId: 'usdt-tron',
          address: owner.address,
          sign: message => Promise.resolve(owner.tronWeb.trx.signMessageV2(message)),
        });
        const visit = await start();
        await stubTronWallet(visit, {
          address: payer.address,
          chainId: '0xcd8690dc',
          answers: { getBlock: ([height]) => payer.tronWeb.trx.getBlock(Number(height)) },
          send: ([contract, , , parameters]) => {
            const [to, value] = (parameters as { value: string }[]).map(parameter => parameter.value);
            return payer.pay(String(contract), String(to), String(value));
          },
        });
        await pays(visit, shop, 'USDT', 'TRON', 'TronLink', () => payer.mine(BLOCKS));
      } finally {
        await payer.close();
        await owner.close();
      }
    },
    LIMIT_MS,
  );
});
