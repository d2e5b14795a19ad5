import { MaxUint256, Wallet } from 'ethers';
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock';
import { refuse } from '../../../kernel/errors';
import { invariant } from '../../../kernel/invariant';
import type { Log } from '../../../kernel/ports/log';
import { NETWORKS, TOKENS, type Token, type TokenId } from '../../../kernel/tokens';
import { SystemClock } from '../../clock/system-clock';
import { evmAddress } from '../evm/evm-address';
import type { JsonRpc } from '../evm/json-rpc';
import { hash, quantity, toQuantity } from '../evm/rpc-shapes';
import { anvilUrl, DEEPEST_REORG } from './anvil-process';
import { sandboxToken } from './placed-token';
import { sandboxAccounts, type SandboxAccount } from './sandbox-accounts';
import { furnish, LOOKALIKES } from './sandbox-furniture';
import { endRecorded, recordedNode, startNode, type SandboxNode } from './sandbox-node';
import { SandboxFiles, type SandboxNetwork } from './sandbox-record';

const BLOCK_TIME_SECONDS = 1;
const MOST_BLOCKS_AT_ONCE = 1_000;
const MOST_TRANSFERS_AT_ONCE = 100;
/** Not the first account, which people take when they try a local chain by hand. */
const DEFAULT_SENDER = 1;
const GAS_PER_TRANSFER = 80_000;
/** A hundred times what an empty local chain asks for, so a transaction is never left behind. */
const MAX_FEE_WEI = 100_000_000_000;
const PRIORITY_FEE_WEI = 1_000_000_000;

export type SandboxOptions = {
  readonly dataFolder: string;
  readonly network: SandboxNetwork;
  readonly clock: Clock;
  readonly log: Log;
  /** Null or absent: the installed package's program, or the one on PATH. */
  readonly anvilPath?: string | null;
  /** One second unless told; null makes blocks by `mine` only. */
  readonly blockTimeSeconds?: number | null;
};

export type SandboxTransfer = { readonly to: string; readonly baseUnits: bigint };
export type SandboxPayment = SandboxTransfer & { readonly tokenId: TokenId; readonly fromIndex?: number };
export type SandboxPayments = Omit<SandboxPayment, keyof SandboxTransfer> & {
  readonly transfers: readonly SandboxTransfer[];
};

/** Puts a raw transaction into the block at `offset`, counted from the first one that a reorganisation makes new. */
export type Resend = { readonly rawTransaction: string; readonly offset: number };

/**
 * A local chain with the testnet's chain id, contracts and decimals, whose tokens are worth nothing: real blocks, receipts and
 * reorganisations. It outlives the service, which finds it again by its data folder.
 */
export class SandboxChain {
  private readonly rpc: JsonRpc;
  private sending: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly network: SandboxNetwork,
    readonly chainId: number,
    /** True when the chain was made by this start: nothing known of an earlier one holds for it. */
    readonly fresh: boolean,
    private readonly node: SandboxNode,
    private readonly files: SandboxFiles,
    private readonly clock: Clock,
  ) {
    this.rpc = node.rpc;
  }

  /** Throws Refusal invalid_config where there is no program to run, provider_unavailable where it does not start. */
  static async start(options: SandboxOptions): Promise<SandboxChain> {
    const { dataFolder, network, clock, log, anvilPath = null, blockTimeSeconds = BLOCK_TIME_SECONDS } = options;
    const chainId = NETWORKS[network].chainId?.test;
    invariant(chainId !== undefined, `${network} has no test chain id`);
    const files = new SandboxFiles(dataFolder, network);
    const record = files.read();
    if (record === 'unreadable') log.warn({ network, file: files.record }, 'record of a local chain is unreadable');
    if (typeof record === 'object') {
      const node = await recordedNode(record, chainId);
      if (node) {
        log.info({ network, url: anvilUrl(node.port), pid: node.pid }, 'local chain found running');
        return new SandboxChain(network, chainId, false, node, files, clock);
      }
      await endRecorded(record, clock);
    }
    const node = await startNode({ files, chainId, anvilPath, blockTimeSeconds, clock }, rpc => furnish(rpc, network));
    log.info({ network, url: anvilUrl(node.port), pid: node.pid }, 'local chain started');
    return new SandboxChain(network, chainId, true, node, files, clock);
  }

  /** Ends the local chains that a data folder names. Gives the networks whose chain was still running. */
  static async stopFolder(dataFolder: string, clock: Clock = new SystemClock()): Promise<readonly SandboxNetwork[]> {
    const ended: SandboxNetwork[] = [];
    for (const files of SandboxFiles.of(dataFolder)) {
      if (await SandboxChain.end(files, clock)) ended.push(files.network);
    }
    return ended;
  }

  /** Accounts with play money, for whoever acts as a payer; their keys are public. */
  get accounts(): readonly SandboxAccount[] {
    return sandboxAccounts();
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

  /** Signs and sends a transfer from one of the accounts; the next block takes it. The transaction's hash. */
  async sendToken({ tokenId, to, baseUnits, fromIndex }: SandboxPayment): Promise<string> {
    const contract = this.token(tokenId).contract.test;
    return this.send(contract, 'transfer', [recipient(to), baseUnits], fromIndex);
  }

  /** Several transfers in one transaction. */
  async sendTokens({ tokenId, transfers, fromIndex }: SandboxPayments): Promise<string> {
    invariant(transfers.length <= MOST_TRANSFERS_AT_ONCE, `more than ${MOST_TRANSFERS_AT_ONCE} transfers at once`);
    const arguments_ = [transfers.map(({ to }) => recipient(to)), transfers.map(({ baseUnits }) => baseUnits)];
    return this.send(this.token(tokenId).contract.test, 'transferMany', arguments_, fromIndex, transfers.length);
  }

  /** A transfer of a token that calls itself by the approved one's name and symbol. */
  async sendLookalike({ tokenId, to, baseUnits, fromIndex }: SandboxPayment): Promise<string> {
    this.token(tokenId);
    return this.send(LOOKALIKES[this.network], 'transfer', [recipient(to), baseUnits], fromIndex);
  }

  /** A transfer of more than the sender has: its transaction is taken into a block and fails there. */
  async sendReverted({ tokenId, to, fromIndex }: Omit<SandboxPayment, 'baseUnits'>): Promise<string> {
    const contract = this.token(tokenId).contract.test;
    return this.send(contract, 'transfer', [recipient(to), MaxUint256], fromIndex);
  }

  /** The signed bytes of a transaction, to be sent again after a reorganisation. Null for an unknown one. */
  rawTransaction(txHash: string): Promise<string | null> {
    return this.rpc.call('eth_getRawTransactionByHash', [txHash], z.string().nullable());
  }

  /** Replaces the last `depth` blocks by as many others, which hold these transactions and no other. */
  async reorg(depth: number, resend: readonly Resend[] = []): Promise<void> {
    invariant(depth >= 1 && depth <= DEEPEST_REORG, `cannot replace ${depth} blocks`);
    const transactions = resend.map(({ rawTransaction, offset }) => [rawTransaction, offset]);
    await this.rpc.call('anvil_reorg', [depth, transactions], z.null());
  }

  async stop(): Promise<void> {
    await SandboxChain.end(this.files, this.clock);
  }

  private static async end(files: SandboxFiles, clock: Clock): Promise<boolean> {
    const record = files.read();
    const ended = typeof record === 'object' && (await endRecorded(record, clock));
    files.remove();
    return ended;
  }

  private token(tokenId: TokenId): Token {
    const token = TOKENS[tokenId];
    if (token.network !== this.network) throw refuse('unknown_token', { param: 'token_id' });
    return token;
  }

  /** One after another: each takes the nonce that follows the one before. */
  private send(contract: string, name: string, values: readonly unknown[], fromIndex = DEFAULT_SENDER, transfers = 1) {
    const data = sandboxToken.encodeFunctionData(name, values);
    const sent = this.sending.then(() => this.signAndSend(contract, data, fromIndex, GAS_PER_TRANSFER * transfers));
    this.sending = sent.catch(() => undefined);
    return sent;
  }

  private async signAndSend(to: string, data: string, fromIndex: number, gasLimit: number): Promise<string> {
    const account = this.accounts[fromIndex];
    invariant(account, `there is no account ${fromIndex}`);
    const nonce = await this.rpc.call('eth_getTransactionCount', [account.address, 'pending'], quantity);
    const fees = { maxFeePerGas: MAX_FEE_WEI, maxPriorityFeePerGas: PRIORITY_FEE_WEI };
    const transaction = { type: 2, chainId: this.chainId, nonce, to, data, gasLimit, ...fees };
    const signed = await new Wallet(account.privateKey).signTransaction(transaction);
    return this.rpc.call('eth_sendRawTransaction', [signed], hash);
  }
}

function recipient(to: string): string {
  const address = evmAddress(to);
  if (address === null) throw refuse('invalid_address', { param: 'to' });
  return address;
}
