import { inPage } from './in-page';
import type { Visit } from './visit';

export interface WalletCall {
  readonly method: string;
  readonly params: readonly unknown[];
}
/** Thrown by a stub's answers, and met by the page as the wallet's own error. 4001: the user has rejected. */
export class WalletError extends Error {
  constructor(
    readonly code: number,
    message = 'The stub wallet refuses.',
  ) {
    super(message);
  }
}
type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

export interface EvmWallet {
  /** The customer's address. */
  readonly address: string;
  /** In hexadecimal digits, as `eth_chainId` answers. A switch changes it. */
  readonly chainId: string;
  readonly name?: string;
  readonly icon?: string;
  /** By default both ways: announced by EIP-6963, and as `window.ethereum`. */
  readonly announces?: boolean;
  readonly legacy?: boolean;
  /** Makes the transfer, and answers its hash. */
  readonly send: (transaction: Readonly<Record<string, string>>) => Promise<string> | string;
  /** Answers in place of the stub's own, by method. */
  readonly answers?: Answers;
}

export interface TronWallet {
  readonly address: string;
  /** In hexadecimal digits. A switch changes it. */
  readonly chainId: string;
  readonly way?: 'tron' | 'tronLink';
  /** Makes the transfer out of `triggerSmartContract`'s arguments, and answers its hash. */
  readonly send: (call: readonly unknown[]) => Promise<string> | string;
  readonly answers?: Answers;
}

const ICON = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
const BLOCK_ID_DIGITS = 64;
let bindings = 0;

/** Before the page is opened. Answers all calls that pages make from then on. */
export async function stubEvmWallet(visit: Visit, wallet: EvmWallet): Promise<readonly WalletCall[]> {
  const { name = 'Stub Wallet', icon = ICON, announces = true, legacy = true } = wallet;
  let chainId = wallet.chainId;
  const { binding, calls } = await bind(visit, {
    eth_accounts: () => [wallet.address],
    eth_requestAccounts: () => [wallet.address],
    eth_chainId: () => chainId,
    wallet_switchEthereumChain: ([wanted]) => {
      chainId = (wanted as { chainId: string }).chainId;
      return null;
    },
    eth_sendTransaction: ([transaction]) => wallet.send(transaction as Record<string, string>),
    ...wallet.answers,
  });
  const info = {
    uuid: `00000000-0000-4000-8000-${String(bindings).padStart(12, '0')}`,
    name,
    icon,
    rdns: 'com.example',
  };
  await visit.context.addInitScript(inPage('stub-evm-wallet', { binding, info, announces, legacy }));
  return calls;
}

/** Before the page is opened. Answers all calls that pages make from then on. */
export async function stubTronWallet(visit: Visit, wallet: TronWallet): Promise<readonly WalletCall[]> {
  const { address, way = 'tron' } = wallet;
  let { chainId } = wallet;
  const { binding, calls } = await bind(visit, {
    tron_requestAccounts: () => ({ code: 200 }),
    eth_requestAccounts: () => [address],
    wallet_switchEthereumChain: ([wanted]) => {
      chainId = (wanted as { chainId: string }).chainId;
      return null;
    },
    getBlock: () => ({ blockID: chainId.slice('0x'.length).padStart(BLOCK_ID_DIGITS, '0') }),
    triggerSmartContract: args => ({ result: { result: true }, transaction: { call: args } }),
    sign: ([transaction]) => ({ ...(transaction as object), signature: ['00'] }),
    sendRawTransaction: async ([signed]) => {
      const { call } = signed as { call: readonly unknown[] };
      return { result: true, txid: await wallet.send(call) };
    },
    ...wallet.answers,
  });
  await visit.context.addInitScript(inPage('stub-tron-wallet', { binding, address, way }));
  return calls;
}

async function bind({ context }: Visit, answers: Answers): Promise<{ binding: string; calls: WalletCall[] }> {
  bindings += 1;
  const binding = `stubWallet${bindings}`;
  const calls: WalletCall[] = [];
  await context.exposeFunction(binding, async (method: string, params: readonly unknown[]) => {
    calls.push({ method, params });
    try {
      const answer = answers[method];
      if (answer === undefined) throw new WalletError(4200, `The stub wallet has no ${method}.`);
      return { result: await answer(params) };
    } catch (error) {
      const code = error instanceof WalletError ? error.code : -32603;
      return { error: { code, message: String(error) } };
    }
  });
  return { binding, calls };
}
