import { all, guarded } from './page-parts';

/**
 * Offers the wallets that live in the browser. A box is born `hidden`, and is shown when a wallet of its kind is there.
 *
 * `<div hidden data-wallet="evm|tron" data-label-…>` holds an empty `<button type="button">` as a pattern, and
 * `<p role="status">`. Its further data says what the wallet is to do.
 *
 * Labels: `connect` with `{wallet}` for the name, `confirm` while the wallet asks, `wrong-chain`, `wrong-account`,
 * `rejected`, `failed`, `sent`. Wallets' names and icons are foreign: text is text, an icon is an `<img>` of a
 * `data:image/` URI.
 */
type Label = 'Confirm' | 'WrongChain' | 'WrongAccount' | 'Rejected' | 'Failed' | 'Sent';
export type Tell = (label: Label) => void;
/** Has a wallet do what a box asks for, and tells how that goes. `wanted` is the box's data. */
export type Use = (wanted: DOMStringMap, tell: Tell) => Promise<void>;

interface Wallet {
  readonly kind: string;
  readonly name: string;
  readonly icon: string;
  readonly use: Use;
}

const REJECTED = 4001;
const NAME_LENGTH = 40;
const MOST_WALLETS = 8;
const wallets = new Map<string, Wallet>();
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
      button.onclick = () => guarded(() => useOnce(box.dataset, wallet));
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

async function useOnce(wanted: DOMStringMap, { kind, use }: Wallet): Promise<void> {
  if (busy) return;
  busy = true;
  try {
    await use(wanted, label => tell(kind, label));
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
