import { z } from 'zod';
import { MINUTE_MS, type Clock } from '../kernel/clock';
import { refuse } from '../vocabulary/errors';
import { invariant } from '../kernel/invariant';
import type { Log } from '../kernel/ports/log';
import { TOKENS, type Token, type TokenId } from '../vocabulary/tokens';
import { familyOf } from '../vocabulary/networks';
import { SystemClock } from '../platform/clock/system-clock';
import { FileLock } from '../platform/embedded-file/file-lock';
import { evmAddress } from '../platform/chains/evm/evm-address';
import type { JsonRpc } from '../platform/chains/evm/json-rpc';
import { quantity, toQuantity } from '../platform/chains/evm/rpc-shapes';
import { evmTwin, tronTwin } from '../platform/chains/tron/tron-address';
import { anvilUrl, DEEPEST_REORG } from './anvil-process';
import { sandboxToken } from './placed-token';
import { sandboxAccounts, type SandboxAccount } from './sandbox-accounts';
import { EvmSending } from './evm-sending';
import { furnish } from './sandbox-furniture';
import { nodeAddress, SANDBOX_NETWORKS, type SandboxNetwork } from './sandbox-networks';
import { endRecorded, foundNode, startNode, type SandboxNode } from './sandbox-node';
import { SandboxFiles } from './sandbox-record';
import type { OnSigned, SandboxSending } from './sandbox-sending';
import { TronSending } from './tron/tron-sending';

const BLOCK_TIME_SECONDS = 1;
/** The patience is longer than one process may take to start or to end a chain. */
const TURN_PATIENCE_MS = MINUTE_MS;
const MOST_BLOCKS_AT_ONCE = 1_000;
const MOST_TRANSFERS_AT_ONCE = 100;
/** The second account: people who try a local chain by hand take the first one. */
const DEFAULT_SENDER = 1;
const GAS_PER_TRANSFER = 80_000;
const GAS_OF_COINS = 21_000;
/** The highest fee of two transfers: a fiftieth of a coin, of which each account has ten thousand. */
const WEI_FOR_FEES = 2n * 10n ** 16n;

export type SandboxOptions = {
  readonly dataFolder: string;
  readonly network: SandboxNetwork;
  readonly clock: Clock;
  readonly log: Log;
  /** Null or absent: the installed package's program, or the one on PATH. */
  readonly anvilPath?: string | null;
  /** One second where absent; null makes blocks by `mine` only. */
  readonly blockTimeSeconds?: number | null;
};

type SandboxTransfer = { readonly to: string; readonly baseUnits: bigint };
type SandboxPayment = SandboxTransfer & {
  readonly tokenId: TokenId;
  readonly fromIndex?: number;
  /** An account that is none of the chain's own, in place of `fromIndex`. */
  readonly from?: SandboxAccount;
  /** `firstTransfer` finds it again, whenever the process is killed. */
  readonly isRemembered?: boolean;
  /** Gets the transaction's hash or id before it is sent. */
  readonly onSigned?: OnSigned | undefined;
};
type SandboxPayments = Omit<SandboxPayment, keyof SandboxTransfer | 'from'> & {
  readonly transfers: readonly SandboxTransfer[];
};

/** Puts a raw transaction into the block at `offset`, counted from the first one that a reorganisation makes new. */
export type Resend = { readonly rawTransaction: string; readonly offset: number };

/**
 * A local chain with the testnet's chain id, contracts and decimals, whose tokens are worth nothing. Its blocks,
 * receipts and reorganisations are real. The chain outlives the service, which finds it again by its data folder.
 */
export class SandboxChain {
  readonly chainId: number;
  private readonly rpc: JsonRpc;
  private readonly sending: SandboxSending;

  private constructor(
    readonly network: SandboxNetwork,
    /** True when this start made the chain: facts about an earlier chain do not hold for it. */
    readonly fresh: boolean,
    private readonly node: SandboxNode,
    private readonly files: SandboxFiles,
    private readonly clock: Clock,
  ) {
    this.rpc = node.rpc;
    this.chainId = SANDBOX_NETWORKS[network].chainId;
    this.sending =
      familyOf(network) === 'tron' ? new TronSending(this.rpc, clock) : new EvmSending(this.rpc, this.chainId);
  }

  /**
   * One of several processes starts the chain, and the others find it. Throws Refusal invalid_config where there is no
   * program to run. Throws Refusal provider_unavailable where the chain does not start, runs and does not answer, or
   * another process holds its turn too long.
   */
  static async start(options: SandboxOptions): Promise<SandboxChain> {
    const { dataFolder, network, clock, log } = options;
    const files = new SandboxFiles(dataFolder, network);
    files.makeFolder();
    return inTurn(files, clock, log, () => SandboxChain.findOrStart(files, options));
  }

  private static async findOrStart(files: SandboxFiles, options: SandboxOptions): Promise<SandboxChain> {
    const { network, clock, log, anvilPath = null, blockTimeSeconds = BLOCK_TIME_SECONDS } = options;
    const traits = SANDBOX_NETWORKS[network];
    const record = files.read();
    if (record === 'unreadable') log.warn({ network, file: files.record }, 'record of a local chain is unreadable');
    if (typeof record === 'object') {
      const onWait = (): void =>
        log.warn({ network, pid: record.pid }, 'the local chain runs and does not answer: this start waits for it');
      const node = await foundNode(record, { files, traits, clock }, onWait);
      if (node) {
        log.info({ network, url: anvilUrl(node.port), pid: node.pid }, 'local chain found running');
        return new SandboxChain(network, false, node, files, clock);
      }
      await endRecorded(record, clock);
    }
    const node = await startNode({ files, traits, anvilPath, blockTimeSeconds, clock }, rpc => furnish(rpc, network));
    log.info({ network, url: anvilUrl(node.port), pid: node.pid }, 'local chain started');
    return new SandboxChain(network, true, node, files, clock);
  }

  /** Ends the local chains that a data folder names. Answers the networks whose chain was still running. */
  static async stopFolder(dataFolder: string, clock: Clock = new SystemClock()): Promise<readonly SandboxNetwork[]> {
    const ended: SandboxNetwork[] = [];
    for (const files of SandboxFiles.of(dataFolder)) {
      if (await SandboxChain.end(files, clock)) ended.push(files.network);
    }
    return ended;
  }

  /** Accounts with play money for payers, by their addresses on this network; their keys are public. */
  get accounts(): readonly SandboxAccount[] {
    if (familyOf(this.network) !== 'tron') return sandboxAccounts();
    return sandboxAccounts().map(({ address, privateKey }) => ({ address: tronTwin(address), privateKey }));
  }

  get rpcUrl(): string {
    return anvilUrl(this.node.port);
  }

  get genesisHash(): string {
    return this.node.genesisHash;
  }

  get pid(): number {
    return this.node.pid;
  }

  /** Makes blocks at once, all with the present second as their time. */
  async mine(blocks: number): Promise<void> {
    invariant(blocks >= 1 && blocks <= MOST_BLOCKS_AT_ONCE, `cannot mine ${blocks} blocks at once`);
    await this.rpc.call('anvil_mine', [toQuantity(blocks)], z.null());
  }

  /**
   * Signs and sends a transfer from one of the accounts; the next block takes it. Answers the transaction's hash, on
   * TRON its id.
   */
  async sendToken(payment: SandboxPayment): Promise<string> {
    return this.pay(this.token(payment.tokenId).contract.test, payment);
  }

  /** Several transfers in one transaction. */
  async sendTokens({ tokenId, transfers, fromIndex }: SandboxPayments): Promise<string> {
    invariant(transfers.length <= MOST_TRANSFERS_AT_ONCE, `more than ${MOST_TRANSFERS_AT_ONCE} transfers at once`);
    const arguments_ = [transfers.map(({ to }) => this.recipient(to)), transfers.map(({ baseUnits }) => baseUnits)];
    return this.send(this.token(tokenId).contract.test, 'transferMany', arguments_, fromIndex, transfers.length);
  }

  /** A transfer of a token that has the approved one's name and symbol. */
  async sendLookalike(payment: SandboxPayment): Promise<string> {
    this.token(payment.tokenId);
    return this.pay(SANDBOX_NETWORKS[this.network].lookalike, payment);
  }

  /** How the network writes the address of an account that is none of the chain's own. */
  addressOf({ address }: SandboxAccount): string {
    return familyOf(this.network) === 'tron' ? tronTwin(address) : address;
  }

  /** Gives the coins for the fees of some transfers, where transfers cost fees; the next block takes them. */
  async giveCoins({ address: to }: SandboxAccount): Promise<void> {
    const account = sandboxAccounts()[DEFAULT_SENDER];
    invariant(account, 'a chain has accounts');
    if (SANDBOX_NETWORKS[this.network].open) return;
    await this.sending.send({ account, to, data: '0x', gas: GAS_OF_COINS, wei: WEI_FOR_FEES });
  }

  /** The transfer for which an account was remembered, as far as it was sent; null where the account never sent one. */
  async firstTransfer(
    account: SandboxAccount,
  ): Promise<{ readonly txHash: string; readonly baseUnits: bigint } | null> {
    const txHash = this.files.sent.of(account.address);
    const call = txHash === null ? null : await this.sending.sentCall(txHash);
    if (call === null) return null;
    const [, baseUnits] = sandboxToken.decodeFunctionData('transfer', call.data) as unknown as [string, bigint];
    return { txHash: call.txHash, baseUnits };
  }

  headNumber(): Promise<number> {
    return this.rpc.call('eth_blockNumber', [], quantity);
  }

  /** The transactions in the block at this height, in their order; empty above the head. */
  transactionsAt(height: number): Promise<readonly string[]> {
    return this.sending.transactionsAt(height);
  }

  /** The signed bytes of a transaction, to be sent again after a reorganisation. Null for an unknown one. */
  rawTransaction(txHash: string): Promise<string | null> {
    return this.sending.rawTransaction(txHash);
  }

  /** Replaces the last `depth` blocks by as many others, which hold these transactions and no other. */
  async reorg(depth: number, resend: readonly Resend[] = []): Promise<void> {
    invariant(depth >= 1 && depth <= DEEPEST_REORG, `cannot replace ${depth} blocks`);
    const transactions = resend.map(({ rawTransaction, offset }) => [this.sending.resendable(rawTransaction), offset]);
    await this.rpc.call('anvil_reorg', [depth, transactions], z.null());
  }

  async stop(): Promise<void> {
    await SandboxChain.end(this.files, this.clock);
  }

  private static end(files: SandboxFiles, clock: Clock): Promise<boolean> {
    return inTurn(files, clock, null, async () => {
      const record = files.read();
      const ended = typeof record === 'object' && (await endRecorded(record, clock));
      files.remove();
      return ended;
    });
  }

  private token(tokenId: TokenId): Token {
    const token = TOKENS[tokenId];
    if (token.network !== this.network) throw refuse('unknown_token', { param: 'token_id' });
    return token;
  }

  private recipient(to: string): string {
    const address = familyOf(this.network) === 'tron' ? evmTwin(to) : evmAddress(to);
    if (address === null) throw refuse('invalid_address', { param: 'to' });
    return address;
  }

  private pay(contract: string, payment: SandboxPayment): Promise<string> {
    const { to, baseUnits, fromIndex, from, isRemembered = false, onSigned } = payment;
    const account = from ?? fromIndex;
    return this.send(contract, 'transfer', [this.recipient(to), baseUnits], account, 1, { isRemembered, onSigned });
  }

  private async send(
    contract: string,
    name: string,
    values: readonly unknown[],
    from: number | SandboxAccount = DEFAULT_SENDER,
    transfers = 1,
    { isRemembered = false, onSigned }: Pick<SandboxPayment, 'isRemembered' | 'onSigned'> = {},
  ): Promise<string> {
    const account = typeof from === 'number' ? sandboxAccounts()[from] : from;
    invariant(account, `there is no account ${JSON.stringify(from)}`);
    const data = sandboxToken.encodeFunctionData(name, values);
    const to = nodeAddress(this.network, contract);
    const signed = (txHash: string): void | Promise<void> => {
      if (isRemembered) this.files.sent.keep(account.address, txHash);
      return onSigned?.(txHash);
    };
    return this.sending.send({ account, to, data, gas: GAS_PER_TRANSFER * transfers }, signed);
  }
}

/** Starts and ends of one chain, in all processes, come one after another. */
async function inTurn<T>(files: SandboxFiles, clock: Clock, log: Log | null, work: () => Promise<T>): Promise<T> {
  const { network } = files;
  const onWait = (): void => log?.info({ network }, 'another process starts or ends the local chain: this one waits');
  const lock = await FileLock.wait(files.lock, clock, TURN_PATIENCE_MS, onWait);
  if (lock === null) {
    const message = `Another process has been starting or ending the local chain ${network} for a minute.`;
    throw refuse('provider_unavailable', { message });
  }
  try {
    return await work();
  } finally {
    lock.remove();
  }
}
