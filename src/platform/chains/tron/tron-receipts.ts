import type { Receipt } from '../../../kernel/ports/chain';
import type { RawLog } from '../evm/rpc-shapes';
import { transfersOf, type TransferFilter } from '../evm/transfer-logs';
import { invalidResponse } from '../http-post';
import { tronTwin } from './tron-address';
import type { BlockContents, TransactionInfo } from './tron-shapes';

const METHOD = 'gettransactioninfo';

/**
 * What a transaction of `block` did, with the transfers that pass. Throws Refusal provider_response_invalid for an answer that does not
 * say surely whether it succeeded.
 */
export function receiptIn(block: BlockContents, info: TransactionInfo, filter: TransferFilter): Receipt {
  const succeeded = hasSucceeded(info);
  const raw = { ...placeOf(block, info), status: 1, logs: logsIn(block, info) };
  const transfers = succeeded ? transfersOf(raw, filter, METHOD) : [];
  return {
    succeeded,
    blockNumber: block.number,
    blockHash: block.hash,
    transfers: transfers.map(transfer => ({
      ...transfer,
      txHash: info.id,
      blockHash: block.hash,
      contract: tronTwin(transfer.contract),
      from: tronTwin(transfer.from),
      to: tronTwin(transfer.to),
    })),
  };
}

/** A transaction's logs in the form of the EVM's, whatever became of it; the index is the ordinal within the receipt. */
export function logsIn(block: BlockContents, info: TransactionInfo): RawLog[] {
  const place = placeOf(block, info);
  return info.log.map(({ address, topics, data }, logIndex) => ({
    ...place,
    address: `0x${address.toLowerCase()}`,
    topics: topics.map(topic => `0x${topic.toLowerCase()}`),
    data: `0x${data.toLowerCase()}`,
    logIndex,
  }));
}

function placeOf(block: BlockContents, { id }: TransactionInfo) {
  return { transactionHash: `0x${id}`, blockNumber: block.number, blockHash: `0x${block.hash}` };
}

/** A failure is told twice, beside the receipt and in it; a transaction that calls no contract has no result in its receipt. */
function hasSucceeded({ id, result, receipt, log }: TransactionInfo): boolean {
  const failed = result === 'FAILED';
  if (receipt.result === undefined && log.length === 0) return !failed;
  if (failed === (receipt.result === 'SUCCESS'))
    throw invalidResponse(METHOD, `does not say surely what became of ${id}`);
  return !failed;
}
