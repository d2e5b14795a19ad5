import { Customer } from '../../support/customer';
import type { PaymentStory } from '../../support/payment-story';
import { baseUnits } from './steps';

/** More blocks than a transfer on Base must be deep in test mode. */
const DEPTH = 13;

/** A payer with a wallet of their own on Base, whose address is known beforehand. */
export class Payer {
  private constructor(private readonly customer: Customer) {}

  static onSandbox(dataFolder: string, accountIndex: number): Payer {
    return new Payer(Customer.onSandbox(dataFolder, 'base', accountIndex));
  }

  /**
   * Sends an amount, the amount due unless another is given, and lets it reach its depth. Answers the transaction's
   * hash.
   */
  async settle(story: PaymentStory, tokenAmount?: string): Promise<string> {
    const { payment_method: method, remaining } = await story.payment();
    const asked = tokenAmount ?? remaining?.token_amount ?? method.token_amount;
    const sent = baseUnits(asked, method.token_decimals).toString();
    const txHash = await this.customer.pay(method.token_contract, method.address, sent);
    await this.customer.mine(1);
    await this.deepen();
    return txHash;
  }

  async deepen(): Promise<void> {
    await this.customer.mine(DEPTH);
  }

  close(): void {
    this.customer.close();
  }
}
