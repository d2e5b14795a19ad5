import type { Page } from 'playwright-core';
import { eventually } from '../support/service-process';
import { FixtureCheckout } from './fixture-checkout';
import { inBrowser } from './in-browser';
import { stubEvmWallet, stubTronWallet, WalletError, type EvmWallet, type TronWallet } from './stub-wallets';

const LIMIT_MS = 15_000;
const HASH = `0x${'ab'.repeat(32)}`;
const TRON_HASH = 'cd'.repeat(32);
const CUSTOMER = '0x1111111111111111111111111111111111111111';
const CONTRACT = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const ADDRESS = '0x2222222222222222222222222222222222222222';
const BASE = '0x2105';
/** Transfer's selector, the address, and 12340017 in hexadecimal digits, each of the last two in 32 bytes. */
const DATA = `0xa9059cbb${'0'.repeat(24)}${'22'.repeat(20)}${'0'.repeat(58)}bc4b31`;
const TRON_MAINNET = '0x2b6653dc';
const NILE = '0xcd8690dc';
const LABELS = `data-label-connect="Pay with {wallet}" data-label-confirm="Confirm" data-label-wrong-chain="Wrong network"
  data-label-rejected="Rejected" data-label-failed="Failed" data-label-sent="Sent" data-fallback-name="Browser wallet"`;

const boxOf = (kind: string, attributes: string) =>
  `<h1>Pay</h1><section id="state" data-live><span role="timer" data-ends="600000" data-now="0">?</span>
  <div hidden data-wallet="${kind}" ${LABELS} data-claim="claim" data-amount="12340017" ${attributes}>
  <button type="button"></button><p role="status"></p></div></section>
  <form id="claim" method="post" action="/checkout/pi_1/claims"><input name="tx_hash" aria-label="Hash" required></form>`;
const EVM = boxOf('evm', `data-chain-id="${BASE}" data-contract="${CONTRACT}" data-address="${ADDRESS}"`);
const TRON = boxOf('tron', `data-chain-id="${TRON_MAINNET}" data-contract="TContract" data-address="TShop"`);

const EVM_WALLET: EvmWallet = { address: CUSTOMER, chainId: BASE, send: () => HASH };
const TRON_WALLET: TronWallet = { address: 'TCustomer', chainId: TRON_MAINNET, send: () => TRON_HASH };
const refusing = (code: number) => () => {
  throw new WalletError(code);
};

inBrowser('paying by a wallet of the browser', start => {
  let checkout: FixtureCheckout;

  beforeAll(async () => {
    checkout = await FixtureCheckout.start();
  });
  beforeEach(() => checkout.reset());
  afterAll(() => checkout.site.close());

  const claimed = () => eventually('a claim', LIMIT_MS, () => checkout.claims[0] ?? null);

  const clickUntil = (page: Page, heard: () => string | null) =>
    eventually('a second try', LIMIT_MS, async () => {
      await page.getByRole('button').click();
      return heard();
    });

  async function withEvm(wallet: Partial<EvmWallet>) {
    checkout.main = () => EVM;
    const visit = await start();
    const calls = await stubEvmWallet(visit, { ...EVM_WALLET, ...wallet });
    await visit.open(checkout.url);
    return { visit, page: visit.page, methods: () => calls.map(({ method }) => method), calls };
  }

  async function withTron(wallet: Partial<TronWallet>) {
    checkout.main = () => TRON;
    const visit = await start();
    const calls = await stubTronWallet(visit, { ...TRON_WALLET, ...wallet });
    await visit.open(checkout.url);
    return { page: visit.page, methods: () => calls.map(({ method }) => method), calls };
  }

  it('asks an announced wallet for exactly one transfer, and files its hash', async () => {
    const { page, calls, methods } = await withEvm({});
    const button = page.getByRole('button', { name: 'Pay with Stub Wallet' });
    await button.waitFor();
    expect(await page.getByRole('button').count()).toBe(1);
    expect(await button.locator('img').getAttribute('src')).toMatch(/^data:image\//);
    await button.click();
    expect(await claimed()).toBe(`tx_hash=${HASH}`);
    expect(methods()).toEqual(['eth_requestAccounts', 'eth_chainId', 'eth_sendTransaction', 'eth_chainId']);
    const transfer = { from: CUSTOMER, to: CONTRACT, value: '0x0', data: DATA, chainId: BASE };
    expect(calls[2]?.params).toEqual([transfer]);
  });

  it('sends once for two clicks', async () => {
    let send: (hash: string) => void = () => undefined;
    const { page, methods } = await withEvm({ send: () => new Promise<string>(resolve => (send = resolve)) });
    await page.getByRole('button').click();
    await eventually('the transfer', LIMIT_MS, () => methods().includes('eth_sendTransaction') || null);
    await page.getByRole('button').dblclick();
    expect(await page.textContent('[data-wallet] [role=status]')).toBe('Confirm');
    send(HASH);
    await claimed();
    expect(methods().filter(method => method === 'eth_sendTransaction')).toHaveLength(1);
    expect(checkout.claims).toHaveLength(1);
  });

  it('files the hash also where the page was swapped meanwhile, and does not pay again', async () => {
    let send: (hash: string) => void = () => undefined;
    const { page, methods } = await withEvm({ send: () => new Promise<string>(resolve => (send = resolve)) });
    await page.getByRole('button').click();
    await eventually('the transfer', LIMIT_MS, () => methods().includes('eth_sendTransaction') || null);
    checkout.change(EVM.replace('<span', 'news <span'));
    await page.locator('#state', { hasText: 'news' }).waitFor();
    await page.getByRole('button').click();
    send(HASH);
    expect(await claimed()).toBe(`tx_hash=${HASH}`);
    expect(methods().filter(method => method === 'eth_sendTransaction')).toHaveLength(1);
  });

  it('has a wallet on another network switched first, and adds no network', async () => {
    const { page, methods, calls } = await withEvm({ chainId: '0x1' });
    await page.getByRole('button').click();
    await claimed();
    expect(methods().slice(1, 5)).toEqual([
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_chainId',
      'eth_sendTransaction',
    ]);
    expect(calls[2]?.params).toEqual([{ chainId: BASE }]);
  });

  it.each([
    ['does not know the network', { chainId: '0x1', answers: { wallet_switchEthereumChain: refusing(4902) } }],
    ['only says that it switched', { chainId: '0x1', answers: { wallet_switchEthereumChain: () => null } }],
  ])('sends nothing where a wallet %s', async (_why, wallet) => {
    const { page, methods } = await withEvm(wallet);
    await page.getByRole('button').click();
    await page.getByText('Wrong network').waitFor();
    // A second click is heard when the first has come to its end.
    await clickUntil(page, () => methods().filter(method => method === 'eth_requestAccounts')[1] ?? null);
    expect(methods()).not.toContain('eth_sendTransaction');
  });

  it('leaves the hash to the customer where the wallet changed its network meanwhile', async () => {
    let chainId = BASE;
    const send = () => {
      chainId = '0x1';
      return HASH;
    };
    const { page } = await withEvm({ send, answers: { eth_chainId: () => chainId } });
    await page.getByRole('button').click();
    await page.getByText('Wrong network').waitFor();
    expect(await page.inputValue('[name=tx_hash]')).toBe(HASH);
    expect(checkout.claims).toEqual([]);
  });

  it.each([
    ['Rejected', { eth_requestAccounts: refusing(4001) }],
    ['Rejected', { eth_sendTransaction: refusing(4001) }],
    ['Failed', { eth_sendTransaction: refusing(-32603) }],
    ['Failed', { eth_sendTransaction: () => ({ hash: HASH }) }],
  ])('says "%s" for a wallet that answers so', async (label, answers) => {
    const { page } = await withEvm({ answers });
    await page.getByRole('button').click();
    await page.getByText(label, { exact: true }).waitFor();
    expect(checkout.claims).toEqual([]);
  });

  it('takes window.ethereum where nobody announces itself', async () => {
    const { page } = await withEvm({ announces: false });
    await page.getByRole('button', { name: 'Pay with Browser wallet' }).click();
    expect(await claimed()).toBe(`tx_hash=${HASH}`);
  });

  it('shows a wallet once, however often it announces itself', async () => {
    const { page } = await withEvm({});
    await page.getByRole('button').waitFor();
    await page.evaluate('dispatchEvent(new Event("eip6963:requestProvider"))');
    expect(await page.getByRole('button').allTextContents()).toEqual(['Pay with Stub Wallet']);
  });

  it('lives with wallets that throw and lie', async () => {
    checkout.main = () => EVM;
    const visit = await start();
    await visit.context.addInitScript(`
      Object.defineProperty(globalThis, 'ethereum', { get() { throw new Error('no') } });
      Object.defineProperty(globalThis, 'tron', { get() { throw new Error('no') } });
      const details = [null, {}, { info: null }, { info: { uuid: '1', name: {}, icon: 'https://127.0.0.2/a.png' } },
        { info: { uuid: '2', name: '<b>Bold</b>', icon: 'https://127.0.0.2/a.png' }, provider: { request() { throw 1 } } }];
      addEventListener('eip6963:requestProvider', () => details.forEach(detail =>
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))));`);
    await visit.open(checkout.url);
    await visit.page.getByRole('button', { name: 'Pay with <b>Bold</b>' }).click();
    await visit.page.getByText('Failed', { exact: true }).waitFor();
    expect(await visit.page.locator('[data-wallet] img').count()).toBe(0);
    await visit.page.locator('[role=timer]', { hasText: '9:5' }).waitFor();
    checkout.change('<h1>Paid</h1>');
    await visit.page.getByRole('heading', { name: 'Paid' }).waitFor();
  });

  it('shows nothing where no wallet is there', async () => {
    checkout.main = () => EVM;
    const visit = await start();
    await visit.open(checkout.url);
    expect(await visit.page.isVisible('[data-wallet]')).toBe(false);
  });

  it.each(['tron', 'tronLink'] as const)('pays on TRON by window.%s, and files the hash', async way => {
    const { page, methods, calls } = await withTron({ way });
    await page.getByRole('button', { name: 'Pay with TronLink' }).click();
    expect(await claimed()).toBe(`tx_hash=${TRON_HASH}`);
    const connect = way === 'tron' ? 'eth_requestAccounts' : 'tron_requestAccounts';
    expect(methods()).toEqual([connect, 'getBlock', 'triggerSmartContract', 'sign', 'sendRawTransaction', 'getBlock']);
    const args = [
      { type: 'address', value: 'TShop' },
      { type: 'uint256', value: '12340017' },
    ];
    const options = { feeLimit: 100_000_000, callValue: 0 };
    expect(calls[2]?.params).toEqual(['TContract', 'transfer(address,uint256)', options, args, 'TCustomer']);
  });

  it('asks a TRON wallet of another network to switch, and pays then', async () => {
    const { page, methods, calls } = await withTron({ chainId: NILE });
    await page.getByRole('button').click();
    expect(await claimed()).toBe(`tx_hash=${TRON_HASH}`);
    expect(methods().slice(1, 4)).toEqual(['getBlock', 'wallet_switchEthereumChain', 'getBlock']);
    expect(calls[2]?.params).toEqual([{ chainId: TRON_MAINNET }]);
  });

  it('sends nothing where a TRON wallet cannot tell its network', async () => {
    const { page, methods } = await withTron({ answers: { getBlock: refusing(-32603) } });
    await page.getByRole('button').click();
    await page.getByText('Failed', { exact: true }).waitFor();
    expect(methods()).toEqual(['eth_requestAccounts', 'getBlock']);
  });

  it('leaves the hash to the customer where a TRON wallet is on another network by then, and does not pay again', async () => {
    const visit = await start();
    checkout.main = () => TRON;
    const send = async () => {
      await visit.page.evaluate(
        `tron.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '${NILE}' }] })`,
      );
      return TRON_HASH;
    };
    const calls = await stubTronWallet(visit, { ...TRON_WALLET, send });
    await visit.open(checkout.url);
    await visit.page.getByRole('button').click();
    await visit.page.getByText('Wrong network').waitFor();
    expect(await visit.page.inputValue('[name=tx_hash]')).toBe(TRON_HASH);
    await visit.page.getByRole('button').click();
    expect(calls.filter(({ method }) => method === 'sendRawTransaction')).toHaveLength(1);
    expect(checkout.claims).toEqual([]);
  });

  it('files the hash of a signed TRON transfer whose sending gave no answer, and does not pay again', async () => {
    const answers = {
      sign: ([transaction]: readonly unknown[]) => ({ ...(transaction as object), txID: TRON_HASH }),
      sendRawTransaction: refusing(-32603),
    };
    const { page, methods } = await withTron({ answers });
    await page.getByRole('button').click();
    expect(await claimed()).toBe(`tx_hash=${TRON_HASH}`);
    await page.getByText('Sent', { exact: true }).waitFor();
    await page.getByRole('button').click();
    expect(methods().filter(method => method === 'sendRawTransaction')).toHaveLength(1);
  });

  it.each(['tron', 'tronLink'] as const)('sends nothing by window.%s that stays on another network', async way => {
    const answers = { wallet_switchEthereumChain: refusing(-32603) };
    const { page, methods } = await withTron({ way, chainId: NILE, answers });
    await page.getByRole('button').click();
    await page.getByText('Wrong network').waitFor();
    await clickUntil(page, () => methods().filter(method => method === 'getBlock')[2] ?? null);
    expect(methods()).not.toContain('triggerSmartContract');
  });

  it.each([
    ['Rejected', { eth_requestAccounts: () => ({ code: 4001 }) }],
    ['Rejected', { sign: refusing(4001) }],
    ['Failed', { sendRawTransaction: () => ({ result: false, txid: TRON_HASH }) }],
  ])('says "%s" for a TRON wallet that answers so', async (label, answers) => {
    const { page } = await withTron({ answers });
    await page.getByRole('button').click();
    await page.getByText(label, { exact: true }).waitFor();
    expect(checkout.claims).toEqual([]);
  });
});
