import { SECOND_MS } from '../../kernel/clock';
import { tronTwin } from '../../platform/chains/tron/tron-address';
import { blockId, parentId, type BlockIdFaults } from './block-ids';
import type { EvmBlock, EvmReceipt, EvmTransaction } from './evm-records';
import { openEnvelope, tronForm, type Enveloped } from './tron-envelope';
import { encodeCall, rawDataJson, type ContractCall, type SignedTransaction } from './tron-transaction';

const BLOCK_VERSION = 34;
/** The price of a unit of energy on the TRON networks since August 2025. */
export const SUN_PER_ENERGY = 100;
const SIGNATURE_BYTES = 65;
export const REVERTED = 'REVERT opcode executed';

type AddressForm = (hex: string) => string;
/** `visible` requests get base58 addresses, all others hex. */
export function addressForm(visible: boolean): AddressForm {
  return hex => (visible ? tronTwin(`0x${hex.slice(2)}`) : hex);
}

export function hexOfText(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** The transaction's own id where it came by TRON's interface, else that of the EVM. */
export function idOf(transaction: EvmTransaction): string {
  return openEnvelope(transaction)?.id ?? transaction.hash.slice(2);
}

/** The header alone where `receipts` is absent. */
export function blockJson(
  block: EvmBlock,
  receipts: readonly EvmReceipt[] | null,
  faults: BlockIdFaults,
  address: AddressForm,
): object {
  const { number, timestamp, transactionsRoot, miner, transactions } = block;
  // Zeros are left out, as in every message of TRON: the genesis block shows no number.
  const rawData = {
    ...(number > 0 && { number }),
    txTrieRoot: transactionsRoot.slice(2),
    witness_address: address(tronForm(miner)),
    parentHash: parentId(block, faults),
    ...(number > 0 && { version: BLOCK_VERSION, timestamp: timestamp * SECOND_MS }),
  };
  const witnessSignature = '00'.repeat(SIGNATURE_BYTES);
  return {
    blockID: blockId(number, block.hash, faults),
    block_header: { raw_data: rawData, ...(number > 0 && { witness_signature: witnessSignature }) },
    ...(receipts && transactions.length > 0 && { transactions: inBlock(block, receipts, address) }),
  };
}

function inBlock({ transactions }: EvmBlock, receipts: readonly EvmReceipt[], address: AddressForm): object[] {
  return transactions.flatMap(transaction => {
    const receipt = receipts.find(({ transactionHash }) => transactionHash === transaction.hash);
    return receipt ? [transactionJson(transaction, receipt, address)] : [];
  });
}

export function transactionJson(transaction: EvmTransaction, receipt: EvmReceipt, address: AddressForm): object {
  const { id, call, signed } = openEnvelope(transaction) ?? withoutEnvelope(transaction);
  return { ret: [{ contractRet: outcome(receipt, call) }], ...signedJson(id, call, signed, address) };
}

export function signedJson(id: string, call: ContractCall, signed: SignedTransaction, address: AddressForm): object {
  const { rawData, signatures } = signed;
  return {
    ...(signatures.length > 0 && { signature: signatures.map(signature => signature.toString('hex')) }),
    txID: id,
    raw_data: rawDataJson(call, address),
    raw_data_hex: rawData.toString('hex'),
  };
}

type Shown = { readonly visible: boolean; readonly hiddenLogsOf: ReadonlySet<string> };

/** The answer of gettransactioninfobyid. */
export function infoJson(
  transaction: EvmTransaction,
  receipt: EvmReceipt,
  block: EvmBlock,
  { visible, hiddenLogsOf }: Shown,
): object {
  const { id, call, signed } = openEnvelope(transaction) ?? withoutEnvelope(transaction);
  const failed = receipt.status === 0;
  const fee = receipt.gasUsed * SUN_PER_ENERGY;
  const shown = hiddenLogsOf.has(id) ? [] : receipt.logs;
  return {
    id,
    fee,
    blockNumber: block.number,
    blockTimeStamp: block.timestamp * SECOND_MS,
    contractResult: [''],
    contract_address: addressForm(visible)(call.contractAddress),
    receipt: {
      energy_fee: fee,
      energy_usage_total: receipt.gasUsed,
      net_usage: signed.rawData.length + signed.signatures.length * SIGNATURE_BYTES,
      result: outcome(receipt, call),
    },
    ...(shown.length > 0 && { log: shown.map(log => logJson(log, visible)) }),
    ...(failed && { result: 'FAILED', resMessage: hexOfText(REVERTED) }),
  };
}

/** The address of a log has no 41 before it, except in answers with `visible` addresses. */
function logJson({ address, topics, data }: EvmReceipt['logs'][number], visible: boolean): object {
  return {
    address: visible ? tronTwin(address) : address.slice(2),
    topics: topics.map(topic => topic.slice(2)),
    ...(data !== '0x' && { data: data.slice(2) }),
  };
}

function outcome({ status, gasUsed }: EvmReceipt, { feeLimitSun }: ContractCall): string {
  if (status === 1) return 'SUCCESS';
  return feeLimitSun > 0 && gasUsed * SUN_PER_ENERGY >= feeLimitSun ? 'OUT_OF_ENERGY' : 'REVERT';
}

/** A transaction that came by the node's own interface has no signature that TRON knows, and no limit. */
function withoutEnvelope({ hash, from, to, input }: EvmTransaction): Enveloped {
  const call: ContractCall = {
    ownerAddress: tronForm(from),
    contractAddress: tronForm(to ?? `0x${'0'.repeat(40)}`),
    data: input.slice(2),
    refBlockBytes: '0000',
    refBlockHash: '0'.repeat(16),
    expirationMs: 0,
    timestampMs: 0,
    feeLimitSun: 0,
    memo: '',
    callValueSun: 0,
  };
  return { id: hash.slice(2), call, signed: { rawData: encodeCall(call), signatures: [] } };
}
