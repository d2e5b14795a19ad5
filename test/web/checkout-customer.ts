import type { Visit } from './visit';

/** More than a page has places to go to. */
const MOST_TABS = 60;

/** A customer who pays by what checkout's pages offer, and knows nothing but their words. */
export class CheckoutCustomer {
  constructor(private readonly visit: Visit) {}

  /** Opens the payment's page and chooses a token and a network there. */
  async choose(checkoutUrl: string, token: string, network: string): Promise<void> {
    const { page } = this.visit;
    await this.visit.open(checkoutUrl);
    await page
      .locator('label.offer', { hasText: `${token} on` })
      .filter({ hasText: network })
      .click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await this.seesTitle('Send exactly this amount');
  }

  /** The exact amount as the page shows it, as a person would read it. */
  async readAmount(): Promise<string> {
    return (await this.visit.page.locator('.token-amount .digits').innerText()).trim();
  }

  async readAddress(): Promise<string> {
    return (await this.visit.page.locator('.address').textContent()) ?? '';
  }

  /** Pays by a wallet that the browser has. */
  async payWith(wallet: string): Promise<void> {
    await this.visit.page.getByRole('button', { name: `Pay with ${wallet}` }).click();
  }

  /** Presses the tab key until the element has the focus. Throws Error where it never gets it. */
  async tabTo(selector: string): Promise<void> {
    const { page } = this.visit;
    for (let presses = 0; presses < MOST_TABS; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
    }
    throw new Error(`the keyboard does not reach ${selector}`);
  }

  async seesTitle(title: string, timeout?: number): Promise<void> {
    await this.visit.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor({ timeout });
  }

  /** The facts of the receipt, a line each, without the marks that keep a direction of writing. */
  async openReceipt(): Promise<readonly string[]> {
    await this.visit.page.getByRole('link', { name: 'Receipt' }).click();
    await this.seesTitle('Receipt');
    const facts = await this.visit.page.locator('.card .facts > div').allInnerTexts();
    return facts.map(fact => fact.replaceAll(/\s*\n\s*/g, ': ').replaceAll(/[\u2066-\u2069]/g, ''));
  }
}
