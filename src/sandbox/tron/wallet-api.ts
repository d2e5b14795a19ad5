import { ofAnything, ofBlock, ofBlockOrHead, ofId, ofRange, ParameterFault, parsed } from './parameters';
import type { TronIndex, View } from './tron-index';
import { addressForm, blockJson, infoJson, transactionJson } from './tron-shapes';

/** The most blocks that a full node gives at once. */
const MAX_RANGE = 100;

type Answer = object | readonly object[];

/**
 * The interface of full nodes for blocks and transactions, in either view. An unknown block or transaction is an empty
 * object.
 */
export class WalletApi {
  constructor(private readonly index: TronIndex) {}

  async getNowBlock(parameters: unknown, view: View): Promise<Answer> {
    const { visible } = parsed(ofAnything, parameters);
    return this.whole(await this.index.height(view), view, visible);
  }

  /** Finds a block by number or id, or the newest; answers the header alone unless `detail` asks for more. */
  async getBlock(parameters: unknown, view: View): Promise<Answer> {
    const { id_or_num: idOrNumber, detail, visible } = parsed(ofBlockOrHead, parameters);
    const height = await this.heightOf(idOrNumber, view);
    if (height === null) return {};
    if (detail) return this.whole(height, view, visible);
    const block = await this.index.blockAt(height, view);
    return block ? blockJson(block, null, this.index.faults, addressForm(visible)) : {};
  }

  getBlockByNumber(parameters: unknown, view: View): Promise<Answer> {
    const { num, visible } = parsed(ofBlock, parameters);
    return this.whole(num, view, visible);
  }

  async getBlockById(parameters: unknown, view: View): Promise<Answer> {
    const { value, visible } = parsed(ofId, parameters);
    const block = await this.index.blockById(value, view);
    return block ? this.whole(block.number, view, visible) : {};
  }

  /** The blocks from the first up to and without the last. */
  async getBlockByLimitNext(parameters: unknown, view: View): Promise<Answer> {
    const { startNum, endNum, visible } = parsed(ofRange, parameters);
    if (startNum < 0 || endNum <= startNum || endNum - startNum > MAX_RANGE) return {};
    const block: Answer[] = [];
    for (let height = startNum; height < endNum; height++) {
      const found = await this.whole(height, view, visible);
      if (!('blockID' in found)) break;
      block.push(found);
    }
    return block.length > 0 ? { block } : {};
  }

  async getTransactionInfoByBlockNumber(parameters: unknown, view: View): Promise<Answer> {
    const { num, visible } = parsed(ofBlock, parameters);
    if (num <= 0) return {};
    const taken = await this.index.receiptsOf(num, view);
    return (taken?.block.transactions ?? []).flatMap(transaction => {
      const receipt = taken?.receipts.find(({ transactionHash }) => transactionHash === transaction.hash);
      return taken && receipt ? [infoJson(transaction, receipt, taken.block, this.shownOf(visible))] : [];
    });
  }

  async getTransactionInfoById(parameters: unknown, view: View): Promise<Answer> {
    const { value, visible } = parsed(ofId, parameters);
    const taken = await this.index.transaction(value, view);
    return taken ? infoJson(taken.transaction, taken.receipt, taken.block, this.shownOf(visible)) : {};
  }

  async getTransactionById(parameters: unknown, view: View): Promise<Answer> {
    const { value, visible } = parsed(ofId, parameters);
    const taken = await this.index.transaction(value, view);
    return taken ? transactionJson(taken.transaction, taken.receipt, addressForm(visible)) : {};
  }

  private shownOf(visible: boolean) {
    return { visible, hiddenLogsOf: this.index.faults.hiddenLogsOf };
  }

  private async whole(height: number, view: View, visible: boolean): Promise<Answer> {
    const taken = height < 0 ? null : await this.index.receiptsOf(height, view);
    return taken ? blockJson(taken.block, taken.receipts, this.index.faults, addressForm(visible)) : {};
  }

  private async heightOf(idOrNumber: string | number | undefined, view: View): Promise<number | null> {
    if (idOrNumber === undefined || idOrNumber === '') return this.index.height(view);
    const text = String(idOrNumber);
    if (/^\d{1,15}$/.test(text)) return Number(text);
    if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new ParameterFault('id_or_num: is neither a number nor an id');
    return (await this.index.blockById(text.toLowerCase(), view))?.number ?? null;
  }
}
