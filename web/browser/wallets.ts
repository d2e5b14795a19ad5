import { all, byId, guarded } from './page-parts';

/**
 * Pays by a wallet that lives in the browser, and files the hash by itself. The box is born `hidden`, and is shown when
 * a wallet of its kind is there.
 *
 * `<div hidden data-wallet="evm|tron" data-contract data-address data-amount="BASE UNITS" data-claim="FORM ID"
 * data-chain-id data-label-…>` holds an empty `<button type="button">` as a pattern, and `<p role="status">`.
 *
 * Labels: `connect` with `{wallet}` for the name, `confirm` while the wallet asks, `wrong-chain`, `rejected`, `failed`,
 * `sent`. The form has a field `tx_hash`. For one box's amount a transfer is made once at most, until the wallet says
 * that it failed. Wallets' names and icons are foreign: text is text, an icon is an `<img>` of a `data:image/` URI.
 */
export type Label = 'Confirm' | 'WrongChain' | 'Rejected' | 'Failed' | 'Sent';
/** Null: nothing was sent, and `tell` has told why. A hash in doubt is filled in, and the customer files it. */
export type Payment = { readonly hash: string; readonly inDoubt: boolean } | null;
export type Pay = (wanted: DOMStringMap, tell: (label: Label) => void) => Promise<Payment>;

interface Wallet {
  readonly kind: string;
  readonly name: string;
  readonly icon: string;
  readonly pay: Pay;
}

const REJECTED = 4001;
const NAME_LENGTH = 40;
const MOST_WALLETS = 8;
const wallets = new Map<string, Wallet>();
const sent = new Set<string>();
let busy = false;

/** The same `id` again takes the place of the first. */
export function offerWallet(id: string, wallet: Wallet): void {
  if (wallets.size >= MOST_WALLETS) return;
  wallets.set(id, wallet);
  showWallets();
}

export function withdrawWallet(id: string): void {
  if (wallets.delete(id)) showWallets();
}

/** The boxes may be new ones, since regions are swapped. */
export function showWallets(): void {
  for (const box of all('[data-wallet]')) {
    const pattern = box.querySelector<HTMLElement>('button:not([data-offer])');
    if (!pattern) continue;
    pattern.hidden = true;
    const offered = [...wallets].filter(([, { kind }]) => kind === box.dataset['wallet']);
    const shown = all('[data-offer]', box);
    for (const [id, wallet] of offered) {
      if (shown.some(({ dataset }) => dataset['offer'] === id)) continue;
      const button = pattern.cloneNode() as HTMLElement;
      button.hidden = false;
      button.dataset['offer'] = id;
      button.append(
        (box.dataset['labelConnect'] ?? '{wallet}').replace('{wallet}', () => wallet.name.slice(0, NAME_LENGTH)),
      );
      if (/^data:image\//.test(wallet.icon)) {
        const icon = new Image(24, 24);
        icon.alt = '';
        icon.src = wallet.icon;
        button.prepend(icon);
      }
      button.onclick = () => guarded(() => payOnce(box.dataset, wallet));
      pattern.before(button);
    }
    for (const button of shown) if (!wallets.has(button.dataset['offer'] ?? '')) button.remove();
    box.hidden = offered.length === 0;
  }
}

function tell(kind: string, label: Label): void {
  for (const box of all(`[data-wallet="${kind}"]`)) {
    const line = box.querySelector('[role=status]');
    if (line) line.textContent = box.dataset[`label${label}`] ?? '';
  }
}

async function payOnce(wanted: DOMStringMap, { kind, pay }: Wallet): Promise<void> {
  const transfer = [wanted['contract'], wanted['address'], wanted['amount']].join();
  if (busy || sent.has(transfer)) return;
  busy = true;
  try {
    tell(kind, 'Confirm');
    const payment = await pay(wanted, label => tell(kind, label));
    if (!payment) return;
    sent.add(transfer);
    tell(kind, payment.inDoubt ? 'WrongChain' : 'Sent');
    guarded(() => file(wanted['claim'] ?? '', payment.hash, !payment.inDoubt));
  } catch (error) {
    tell(kind, isRejection(error) ? 'Rejected' : 'Failed');
  } finally {
    busy = false;
  }
}

function isRejection(answer: unknown): boolean {
  return (answer as { code?: unknown } | null)?.code === REJECTED;
}

/** Some wallets answer a rejection, and others throw it. */
export function throwRejection(answer: unknown): void {
  if (isRejection(answer)) throw answer as Error;
}

/** Files the hash beside the page, which goes on: it shows the transfer as soon as that is seen. */
async function file(id: string, hash: string, submits: boolean): Promise<void> {
  const form = byId(id) as HTMLFormElement | null;
  const field = form?.elements.namedItem('tx_hash') as HTMLInputElement | null;
  if (!form || !field) return;
  field.value = hash;
  if (!submits) {
    form.closest('details')?.setAttribute('open', '');
    return;
  }
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const sent = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    keepalive: true,
  }).catch(() => null);
  // A redirect leads to the claim's own page, which is not needed here.
  if (sent?.type !== 'opaqueredirect') form.requestSubmit();
}
