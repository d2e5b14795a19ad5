import type { SandboxTransfer } from '../../clients/typescript/src';
import { TOKENS, type TokenId } from '../../src/vocabulary/tokens';
import type { WalletOwner } from './customer';
import { Merchant } from './merchant';
import { PaymentStory } from './payment-story';
import type { ServiceInProcess } from './service-in-process';
import { WebhookReceiver } from './webhook-receiver';

export type Outcome = SandboxTransfer['outcome'];

/** A merchant of test mode who is told of everything by webhook, and paid on one local chain. */
export class StoryShop {
  readonly stories: PaymentStory[] = [];

  private constructor(
    readonly merchant: Merchant,
    readonly receiver: WebhookReceiver,
    readonly tokenId: TokenId,
  ) {}

  static async open(service: ServiceInProcess, name: string, tokenId: TokenId, owner: WalletOwner): Promise<StoryShop> {
    const merchant = Merchant.of(await service.register(name), service.url);
    const receiver = await WebhookReceiver.start();
    await merchant.listenWith(receiver);
    const { asset, network } = TOKENS[tokenId];
    await merchant.verifyWallet(network, owner);
    // The API asks for a fourth one-time code, more than can be had without waiting. The command line needs none.
    await service.run('route', 'set', asset, network, merchant.walletId);
    return new StoryShop(merchant, receiver, tokenId);
  }

  async asked(amount = '2500'): Promise<PaymentStory> {
    const { id } = await this.merchant.createIntent(amount, 'EUR');
    const story = new PaymentStory(this.merchant, this.receiver, id);
    this.stories.push(story);
    await story.reached('created', { events: ['created by api'], facts: { ...UNPAID, amount } });
    return story;
  }

  async quoted(amount?: string): Promise<PaymentStory> {
    const story = await this.asked(amount);
    await this.merchant.selectMethod(story.id, this.tokenId);
    const { network, decimals, contract } = TOKENS[this.tokenId];
    const method = { token_id: this.tokenId, network_id: network, token_decimals: decimals };
    await story.reached('awaiting_payment', {
      events: ['method_selected by api'],
      facts: { received_amount: '0', payment_method: { ...method, token_contract: contract.test } },
    });
    return story;
  }

  play({ id }: PaymentStory, outcome: Outcome, tokenAmount?: string): Promise<SandboxTransfer> {
    const terms = { payment_intent: id, outcome, ...(tokenAmount !== undefined && { token_amount: tokenAmount }) };
    return this.merchant.api.sandboxTransfers.create(terms);
  }

  async advance(advanceMs: number): Promise<void> {
    await this.merchant.api.sandboxClock.update({ advance_ms: advanceMs });
  }
}

const UNPAID = {
  received_amount: '0',
  currency: 'EUR',
  currency_decimals: 2,
  metadata: { order: '42' },
  expires_at: null,
  payment_method: null,
};
