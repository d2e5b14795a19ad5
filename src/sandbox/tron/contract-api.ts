import { id as keccakOfText } from 'ethers';
import { isRefusal } from '../../vocabulary/errors';
import { SECOND_MS, type Clock } from '../../kernel/clock';
import { RpcError } from '../../platform/chains/evm/json-rpc';
import { bytes } from '../../platform/chains/evm/rpc-shapes';
import artefact from '../sandbox-token.json';
import { ofBroadcast, ofCall, ofContract, ofHexBroadcast, ParameterFault, parsed, type Call } from './parameters';
import { ProtobufFault } from './protobuf';
import { BroadcastFault, type TronBroadcast } from './tron-broadcast';
import { tronForm } from './tron-envelope';
import type { TronIndex, View } from './tron-index';
import { addressForm, hexOfText, REVERTED, signedJson } from './tron-shapes';
import { decodeSigned, encodeCall, transactionId } from './tron-transaction';
import type { ContractCall, SignedTransaction } from './tron-transaction';

const VALID_MS = 60 * SECOND_MS;
const SELECTOR_DIGITS = 8;
const NO_CONTRACT = 'Contract validate error : Smart contract is not exist.';

/** The interface of full nodes for contracts: reading, building a transaction, and taking a signed one. */
export class ContractApi {
  constructor(
    private readonly index: TronIndex,
    private readonly broadcast: TronBroadcast,
    private readonly clock: Clock,
  ) {}

  async triggerConstantContract(parameters: unknown, view: View): Promise<object> {
    const call = parsed(ofCall, parameters);
    if (!(await this.isContract(call.contract_address))) return refused('CONTRACT_VALIDATE_ERROR', NO_CONTRACT);
    const transaction = await this.unsigned(call);
    const target = { from: call.owner_address, to: call.contract_address, data: `0x${callData(call)}` };
    try {
      const result = await this.index.rpc.call('eth_call', [target, view === 'full' ? 'latest' : 'finalized'], bytes);
      return {
        result: { result: true },
        constant_result: [result.slice(2)],
        transaction: { ret: [{}], ...transaction },
      };
    } catch (error) {
      if (!isRefusal(error) || !(error.cause instanceof RpcError)) throw error;
      const result = { result: true, message: hexOfText(REVERTED) };
      return { result, constant_result: [''], transaction: { ret: [{ ret: 'FAILED' }], ...transaction } };
    }
  }

  /** Answers the transaction to be signed; nothing is sent. */
  async triggerSmartContract(parameters: unknown): Promise<object> {
    const call = parsed(ofCall, parameters);
    if (call.fee_limit <= 0) throw new ParameterFault('fee_limit: must be above 0');
    if (!(await this.isContract(call.contract_address))) return refused('CONTRACT_VALIDATE_ERROR', NO_CONTRACT);
    return { result: { result: true }, transaction: await this.unsigned(call) };
  }

  /** The bytes that were signed count; the same in JSON beside them is for people. */
  async broadcastTransaction(parameters: unknown): Promise<object> {
    const { txID, raw_data_hex: rawHex, signature } = parsed(ofBroadcast, parameters);
    const signed = { rawData: Buffer.from(rawHex, 'hex'), signatures: signature.map(each => Buffer.from(each, 'hex')) };
    const id = transactionId(signed.rawData);
    if (id !== txID.toLowerCase()) throw new ParameterFault('txID: is not the hash of raw_data_hex');
    const fault = await this.send(signed);
    return fault ? { code: fault.code, txid: id, message: hexOfText(fault.message) } : { result: true, txid: id };
  }

  async broadcastHex(parameters: unknown): Promise<object> {
    const { transaction } = parsed(ofHexBroadcast, parameters);
    const signed = decodedSigned(transaction);
    const txid = transactionId(signed.rawData);
    const fault = await this.send(signed);
    const shown = { raw_data_hex: signed.rawData.toString('hex'), txID: txid };
    const { code, message } = fault ?? { code: 'SUCCESS', message: '' };
    return { result: !fault, code, message, transaction: JSON.stringify(shown), txid };
  }

  /** Every contract of the local chains is the sandbox token. */
  async getContract(parameters: unknown): Promise<object> {
    const { value, visible } = parsed(ofContract, parameters);
    const code = await this.index.rpc.call('eth_getCode', [value, 'latest'], bytes);
    if (code === '0x') return {};
    const contractAddress = addressForm(visible)(tronForm(value));
    return { contract_address: contractAddress, bytecode: code.slice(2), name: 'SandboxToken', abi: { entrys: ABI } };
  }

  private async send(signed: SignedTransaction): Promise<BroadcastFault | null> {
    try {
      await this.broadcast.send(signed);
      return null;
    } catch (error) {
      if (error instanceof BroadcastFault) return error;
      throw error;
    }
  }

  private async isContract(address: string): Promise<boolean> {
    return (await this.index.rpc.call('eth_getCode', [address, 'latest'], bytes)) !== '0x';
  }

  private async unsigned(call: Call): Promise<object> {
    const terms = {
      ownerAddress: tronForm(call.owner_address),
      contractAddress: tronForm(call.contract_address),
      data: callData(call),
      feeLimitSun: call.fee_limit,
      callValueSun: call.call_value,
    };
    const built = await buildCall(this.index, this.clock, terms);
    const signed = { rawData: encodeCall(built), signatures: [] };
    return {
      visible: call.visible,
      ...signedJson(transactionId(signed.rawData), built, signed, addressForm(call.visible)),
    };
  }
}

/** A call on top of the newest final block, good for a minute. */
export async function buildCall(
  index: TronIndex,
  clock: Clock,
  terms: Pick<ContractCall, 'ownerAddress' | 'contractAddress' | 'data' | 'feeLimitSun' | 'callValueSun'>,
): Promise<ContractCall> {
  const [reference, head] = await Promise.all([index.head('solid'), index.head('full')]);
  const number = reference?.number ?? 0;
  const refId = reference ? index.idOfBlock(reference) : '';
  return {
    ...terms,
    refBlockBytes: number.toString(16).padStart(4, '0').slice(-4),
    refBlockHash: refId.slice(16, 32),
    expirationMs: (head?.timestamp ?? 0) * SECOND_MS + VALID_MS,
    timestampMs: clock.now(),
    memo: '',
  };
}

function callData({ data, function_selector: selector, parameter }: Call): string {
  if (data !== undefined) return data.toLowerCase();
  return keccakOfText(selector ?? '').slice(2, 2 + SELECTOR_DIGITS) + parameter.toLowerCase();
}

function decodedSigned(hex: string): SignedTransaction {
  try {
    return decodeSigned(Buffer.from(hex, 'hex'));
  } catch (error) {
    throw error instanceof ProtobufFault ? new ParameterFault(`transaction: ${error.message}`) : error;
  }
}

function refused(code: string, message: string): object {
  return { result: { code, message: hexOfText(message) } };
}

/** The token's interface in java-tron's form: kinds and mutability begin with a capital. */
const ABI = artefact.abi.flatMap(({ type, name, inputs, outputs, stateMutability }) =>
  type === 'function' && stateMutability !== undefined
    ? [{ name, inputs, outputs, type: capitalised(type), stateMutability: capitalised(stateMutability) }]
    : [],
);

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
