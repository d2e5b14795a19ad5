import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import type { DraftInvoiceDto } from '../../src/modules/invoices/api/invoices.contract';
import type { Business, KnownInvoice, KnownLink, LinkTerms } from './business';
import type { Deeds, DeedsParts } from './deeds';
import { orderOf } from './orders';
import type { Shop } from './shops';

/** A quote's quarter of an hour. */
const QUOTE_MS = 15 * MINUTE_MS;
/** Customers who open one link at the same moment. */
const MOST_CUSTOMERS = 3;
const MOST_USES = 4;
/** Programs of one merchant that draft at the same moment. */
const MOST_DRAFTS = 3;
const RECENT = 4;

/** Merchants sell by links and invoices, while their customers come together, twice, too late or not at all. */
export class BusinessDeeds {
  constructor(
    private readonly parts: DeedsParts,
    private readonly deeds: Deeds,
    private readonly business: Business,
  ) {}

  /** Links of one amount, and of amounts that customers choose; some with a limit of uses, an end, or both. */
  makeLink(shops: readonly Shop[]): void {
    const { prng, scheduler } = this.parts;
    const { amountMinorUnits: amount, currency } = orderOf(prng);
    const isFixed = prng.chance(50);
    const lastsMs = prng.pick([20 * SECOND_MS, 10 * MINUTE_MS, 20 * HOUR_MS]) + prng.below(SECOND_MS);
    const terms: LinkTerms = {
      kind: isFixed ? 'fixed' : 'open',
      currency,
      amount_minor_units: isFixed ? amount.toString() : null,
      min_minor_units: isFixed ? null : amount.toString(),
      max_minor_units: isFixed ? null : (amount + BigInt(prng.below(3))).toString(),
      description: null,
      metadata: {},
      success_url: null,
      max_uses: prng.chance(60) ? 1 + prng.below(MOST_USES) : null,
      expires_at: prng.chance(40) ? isoTime(scheduler.nowMs + lastsMs) : null,
    };
    this.business.createLink(prng.pick(shops), terms, link => this.open(link));
  }

  /** Several customers open one link at once, now and then at its last moment, or as the merchant deactivates it. */
  async openTogether(): Promise<void> {
    const { prng } = this.parts;
    const link = this.recent(this.business.links);
    if (!link) return;
    if (prng.chance(40)) await this.passUntilTheEnd(link);
    const isEnded = prng.chance(15);
    if (isEnded && prng.chance(50)) this.business.deactivate(link);
    this.open(link);
    if (!isEnded) return;
    await this.deeds.turns();
    this.business.deactivate(link);
  }

  private open(link: KnownLink): void {
    const { prng } = this.parts;
    for (let count = 1 + prng.below(MOST_CUSTOMERS); count > 0; count--) {
      const role = prng.chance(70) ? 'checkout' : 'api';
      this.business.open(link, this.amountFor(link), this.anyNetwork(), role);
    }
  }

  /** A customer comes back to a payment that has ended without money. */
  async restart(): Promise<void> {
    const { prng, intents } = this.parts;
    const ended = await intents.where(({ status }) => ['expired', 'failed'].includes(status));
    const [shop, intent] = ended.at(-1 - prng.below(2)) ?? [];
    if (!shop || intent === undefined) return;
    for (let tabs = 1 + prng.below(2); tabs > 0; tabs--) this.business.restart(shop, intent, this.anyNetwork());
  }

  /** Several programs of one merchant draft at once; most issue what they have drafted. */
  draftTogether(shops: readonly Shop[]): void {
    const { prng } = this.parts;
    const shop = prng.pick(shops);
    for (let count = 1 + prng.below(MOST_DRAFTS); count > 0; count--)
      this.business.draft(shop, this.invoiceBody(), prng.chance(60) ? this.anyNetwork() : null);
  }

  /** The merchant issues while customers press the pay button, in several tabs. */
  issueTogether(): void {
    const { prng } = this.parts;
    const invoice = this.recent(this.business.invoices);
    if (!invoice) return;
    for (let count = 1 + prng.below(2); count > 0; count--)
      this.business.issue(invoice, this.anyNetwork(), prng.chance(60) ? 'checkout' : 'api');
  }

  /** The first payment's quote ends, another one is made, and both may be paid, in either order. */
  async payTwice(): Promise<void> {
    const { prng, payers, time, clients } = this.parts;
    const invoice = await this.waitingInvoice();
    const first = invoice?.payments.at(-1);
    if (!invoice || first === undefined) return;
    await time.pass(QUOTE_MS + prng.below(20) * SECOND_MS);
    await time.pass(5 * SECOND_MS);
    this.business.issue(invoice, this.anyNetwork(), 'checkout');
    if (prng.chance(50)) await payers.pay(first, true);
    await this.deeds.passSome(2, 30);
    const second = invoice.payments.at(-1) ?? first;
    for (const payment of prng.chance(50) ? [first, second] : [second, first])
      if (prng.chance(70)) await payers.pay(payment, true);
    await this.deeds.passSome(4, 40);
    if (prng.chance(70)) clients.decide(invoice.shop, first, { type: 'resolve', resolution: 'accepted', note: 'late' });
  }

  /** An invoice is void, now and then just as its customer pays or presses the pay button. */
  async void(): Promise<void> {
    const { prng, payers } = this.parts;
    const invoice = this.recent(this.business.invoices);
    if (!invoice) return;
    const newest = invoice.payments.at(-1);
    if (newest !== undefined && prng.chance(30)) await payers.pay(newest, true);
    if (prng.chance(30)) await this.deeds.passSome(1, 6);
    this.business.void(invoice);
    if (prng.chance(30)) this.business.issue(invoice, this.anyNetwork(), 'checkout');
  }

  private async waitingInvoice(): Promise<KnownInvoice | undefined> {
    const waiting = new Set((await this.deeds.waiting()).map(([, intent]) => intent));
    return this.business.invoices.findLast(({ payments }) => waiting.has(payments.at(-1) ?? ''));
  }

  /** One millisecond before the end, at it, or after it, where the end is near. */
  private async passUntilTheEnd({ terms }: KnownLink): Promise<void> {
    const { prng, scheduler, time } = this.parts;
    const leftMs = Date.parse(terms.expires_at ?? '') - scheduler.nowMs;
    if (leftMs > 1 && leftMs < HOUR_MS) await time.pass(leftMs - 1 + prng.below(3));
  }

  /** Null for a fixed link, mostly. Some amounts are just outside of the bounds. */
  private amountFor({ terms }: KnownLink): bigint | null {
    const { prng } = this.parts;
    if (terms.kind === 'fixed') return prng.chance(5) ? 1n : null;
    const least = BigInt(terms.min_minor_units ?? 0);
    const most = BigInt(terms.max_minor_units ?? 0);
    return prng.chance(20) ? prng.pick([least - 1n, most + 1n]) : prng.pick([least, most]);
  }

  /** Mostly the usual price, so that invoices contend with other payments for amounts; now and then nothing at all. */
  private invoiceBody(): DraftInvoiceDto {
    const { prng, scheduler } = this.parts;
    const { amountMinorUnits, currency } = orderOf(prng);
    const discountBps = prng.pick([0, 500, prng.below(1_000)]);
    const tea = { description: 'Tea', quantity: 2, unit_amount: '815', discount_bps: discountBps, tax_bps: 1_900 };
    // 3.5, 7 or 10.5 of tax: halves of a minor unit, below an even number and below an odd one.
    const cups = { description: 'Cups', quantity: 1 + prng.below(3), unit_amount: '50', discount_bps: 0, tax_bps: 700 };
    const lines = prng.chance(10) ? [{ ...tea, discount_bps: 10_000 }] : [tea, cups];
    const dueMs = scheduler.nowMs + prng.pick([10 * MINUTE_MS, 5 * HOUR_MS, DAY_MS]);
    return {
      currency,
      ...(prng.chance(60) ? { amount: amountMinorUnits.toString() } : { lines }),
      ...(prng.chance(50) && { due_at: isoTime(dueMs) }),
      ...(prng.chance(50) && { customer: { name: 'Ada Byron', email: 'ada@example.com' } }),
    };
  }

  private recent<Known>(known: readonly Known[]): Known | undefined {
    const { prng } = this.parts;
    const last = known.slice(-RECENT);
    return last.length > 0 ? prng.pick(last) : undefined;
  }

  private anyNetwork() {
    const { prng, outside } = this.parts;
    return prng.pick(outside.setting.networks);
  }
}
