import { Money } from '../../parts/money';
import { usePaths } from '../../parts/signed-context';
import { Badge, spoken, type Tone } from '../../parts/status-badge';
import { streamPath } from '../streams/stream-link';

/** A merchant by its id, which leads to the merchant's page; nothing for a row of nobody. */
export function MerchantLink({ id }: { readonly id: string | null }) {
  const paths = usePaths();
  if (id === null) return <>None</>;
  return (
    <a href={paths(`merchants/${id}`)}>
      <code>{id}</code>
    </a>
  );
}

type ObjectProps = {
  readonly mode: string;
  readonly category: string;
  readonly id: string;
  /** The id within the stream's name, where the object has another one. */
  readonly streamId?: string;
};

/** An object by its id, which leads to its events. */
export function ObjectLink({ mode, category, id, streamId = id }: ObjectProps) {
  const paths = usePaths();
  return (
    <a href={paths(streamPath(`${mode}.${category}-${streamId}`))}>
      <code>{id}</code>
    </a>
  );
}

export function ModeBadge({ mode }: { readonly mode: string }) {
  return mode === 'test' ? <Badge tone="warn" text="Test" /> : <Badge tone="ok" text="Live" />;
}

type AmountProps = { readonly amount: string; readonly currency: string; readonly currency_decimals: number };

/** An amount as lists have it, in minor units. */
export function Amount({ amount, currency, currency_decimals: decimals }: AmountProps) {
  return <Money minorUnits={amount} {...{ currency, decimals }} />;
}

/** An amount in dollar cents. */
export function Cents({ amount }: { readonly amount: string }) {
  return <Money minorUnits={amount} currency="USD" decimals={2} />;
}

type StateProps = { readonly text: string; readonly tones: Readonly<Record<string, Tone>> };

/** A state by its name, in the tone that it has in its list. */
export function StateBadge({ text, tones }: StateProps) {
  return <Badge tone={tones[text] ?? 'idle'} text={spoken(text)} />;
}
