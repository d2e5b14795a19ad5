import type { Page } from 'playwright-core';
import { getBytes, toUtf8String } from 'ethers';
import { developmentWallet } from '../../support/customer';
import { tronOwner } from '../../support/tron-customer';
import { DashboardStage } from '../dashboard-stage';
import { inBrowser } from '../in-browser';
import { stubEvmWallet, stubTronWallet, WalletError, type EvmWallet } from '../stub-wallets';
import type { Look } from '../visit';
import { seeDeposit } from './wallet-stage';

const LIMIT_MS = 60_000;
const BASE_TEST = '0x14a34';
const never = () => {
  throw new Error('a wallet was asked for a transfer');
};

inBrowser('proving a wallet by a wallet of the browser', start => {
  let dashboard: DashboardStage;
  const signer = developmentWallet(40);
  let wallet: string;

  beforeAll(async () => {
    dashboard = await DashboardStage.open();
    wallet = await asked({ address: signer.address });
  }, LIMIT_MS);
  afterAll(() => dashboard.close());

  async function asked(terms: object, method = 'signed_message'): Promise<string> {
    const { id } = await dashboard.merchant.registerWallet(terms);
    await dashboard.merchant.done(`POST /v1/wallets/${String(id)}/challenge`, { body: { method } });
    return String(id);
  }

  async function signedIn(look: Look = {}) {
    const visit = await start(look);
    await visit.context.addCookies([dashboard.cookie(dashboard.owner.secret)]);
    return visit;
  }

  async function withEvm(changes: Partial<EvmWallet> = {}) {
    const visit = await signedIn();
    const sign = ([text]: readonly unknown[]) => signer.signMessage(toUtf8String(getBytes(String(text))));
    const stub = { address: signer.address.toLowerCase(), chainId: BASE_TEST, send: never, ...changes };
    const calls = await stubEvmWallet(visit, { ...stub, answers: { personal_sign: sign, ...changes.answers } });
    await visit.open(dashboard.url(`/dashboard/test/wallets/${wallet}`));
    return { page: visit.page, calls, methods: () => calls.map(({ method }) => method) };
  }

  const told = (page: Page, text: string) => page.locator('[data-wallet] [role=status]', { hasText: text }).waitFor();

  /** Clicks the wallet's button, types the code that is asked for, and sends the form. */
  async function prove(page: Page, button: string): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    await told(page, 'Signed. Type the code');
    expect(await page.evaluate('document.activeElement.name')).toBe('code');
    await page.keyboard.type(dashboard.merchant.nextCode());
    await page.getByRole('button', { name: 'Check the signature' }).click();
    await page.getByRole('heading', { name: 'Verified' }).waitFor();
    const cookies = await page.context().cookies();
    dashboard.owner.secret = cookies.find(({ name }) => name === '__Host-qt_session')?.value ?? '';
  }

  it('asks for no signature where the wallet shows another account', async () => {
    const { page, methods } = await withEvm({ address: developmentWallet(1).address });
    await page.getByRole('button', { name: 'Sign with Stub Wallet' }).click();
    await told(page, 'The wallet shows another account.');
    expect(methods()).toEqual(['eth_requestAccounts']);
  });

  it.each([
    ['has rejected it', 4001, '0x1', 'wallet_switchEthereumChain'],
    ['did not sign', -32603, BASE_TEST, 'personal_sign'],
  ])('tells that the wallet %s, and leaves the field empty', async (words, code, chainId, method) => {
    const refuse = () => {
      throw new WalletError(code);
    };
    const { page } = await withEvm({ chainId, answers: { [method]: refuse } });
    await page.getByRole('button', { name: 'Sign with Stub Wallet' }).click();
    await told(page, words);
    expect(await page.getByLabel('Signature').inputValue()).toBe('');
  });

  it('has an EVM wallet on another network switched first, and takes its signature alone', async () => {
    const { page, methods, calls } = await withEvm({ chainId: '0x1' });
    await prove(page, 'Sign with Stub Wallet');
    const reached = ['eth_chainId', 'wallet_switchEthereumChain', 'eth_chainId'];
    expect(methods()).toEqual(['eth_requestAccounts', ...reached, 'personal_sign']);
    expect(calls.at(-1)?.params).toEqual([expect.stringMatching(/^0x[\da-f]+$/), signer.address]);
  });

  it('takes the signature of a TRON wallet', async () => {
    const owner = tronOwner(41);
    wallet = await asked({ network_id: 'tron', address: owner.address });
    const visit = await signedIn({ screen: 'phone' });
    const sign = ([text]: readonly unknown[]) => owner.signMessage(String(text));
    const stub = { address: owner.address, chainId: '0x1', send: never, answers: { signMessageV2: sign } };
    const calls = await stubTronWallet(visit, stub);
    await visit.open(dashboard.url(`/dashboard/test/wallets/${wallet}`));
    await prove(visit.page, 'Sign with TronLink');
    expect(calls.map(({ method }) => method)).toEqual(['eth_requestAccounts', 'signMessageV2']);
  });

  it('follows a micro-deposit without a reload', async () => {
    const id = await asked({ address: developmentWallet(42).address }, 'micro_deposit');
    const { page, open } = await signedIn().then(visit => ({ page: visit.page, open: visit.open.bind(visit) }));
    await open(dashboard.url(`/dashboard/test/wallets/${id}`));
    await page.locator('[role=timer]', { hasText: /^(?:30:00|29:\d\d)$/ }).waitFor();
    await seeDeposit(dashboard, id);
    await page.getByText('The deposit is seen.').waitFor();
  });
});
