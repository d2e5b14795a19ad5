import { getAddress } from 'ethers';
import type { ObservedTransfer } from '../../../kernel/ports/chain';
import { invalidResponse } from '../http-post';
import type { RawLog, RawReceipt } from './rpc-shapes';

/** keccak256("Transfer(address,address,uint256)"), the same on every network. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const ADDRESS_TOPIC = /^0x0{24}([0-9a-f]{40})$/;
const WORD = /^0x[0-9a-f]{64}$/;

export function addressTopic(evmAddress: string): string {
  return `0x${evmAddress.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Which transfers matter: those of some contracts, to anyone or to some addresses. */
export class TransferFilter {
  private readonly contracts: ReadonlySet<string>;
  private readonly recipientTopics: ReadonlySet<string> | null;

  constructor(contracts: readonly string[], recipients: readonly string[] | null) {
    this.contracts = new Set(contracts.map(contract => contract.toLowerCase()));
    this.recipientTopics = recipients && new Set(recipients.map(addressTopic));
  }

  /**
   * False for transfers of nothing too: anyone can make an honest contract log one in another's name.
   * Throws Refusal provider_response_invalid for a value that no ERC-20 token logs.
   */
  passes(log: RawLog, method: string): boolean {
    const [topic, , to] = log.topics;
    if (topic !== TRANSFER_TOPIC || to === undefined || log.topics.length !== 3) return false;
    if (!this.contracts.has(log.address) || this.recipientTopics?.has(to) === false) return false;
    if (!WORD.test(log.data)) throw invalidResponse(method, 'has a transfer without a 32-byte value');
    return BigInt(log.data) > 0n;
  }
}

/** Transfers of one successful transaction, each with the place of its log among all logs of the receipt. */
export function transfersOf(
  receipt: RawReceipt,
  filter: TransferFilter,
  method = 'eth_getTransactionReceipt',
): readonly ObservedTransfer[] {
  const { transactionHash: txHash, blockNumber, blockHash, logs } = receipt;
  const firstIndex = logs[0]?.logIndex ?? 0;
  return logs.flatMap((log, ordinal): ObservedTransfer[] => {
    // A receipt with logs left out or out of order would shift every ordinal, and with it the identity of a transfer.
    if (log.logIndex !== firstIndex + ordinal) throw invalidResponse(method, 'has logs missing or out of order');
    if (log.transactionHash !== txHash || log.blockHash !== blockHash || log.blockNumber !== blockNumber) {
      throw invalidResponse(method, 'has a log of another transaction or block');
    }
    if (!filter.passes(log, method)) return [];
    const [, from = '', to = ''] = log.topics;
    const parties = { from: addressOf(from, method), to: addressOf(to, method) };
    const valueBaseUnits = BigInt(log.data);
    return [{ txHash, ordinal, contract: getAddress(log.address), ...parties, valueBaseUnits, blockNumber, blockHash }];
  });
}

function addressOf(topic: string, method: string): string {
  const digits = ADDRESS_TOPIC.exec(topic)?.[1];
  if (digits === undefined) throw invalidResponse(method, 'has a transfer whose party is no address');
  return getAddress(`0x${digits}`);
}
