import type { ComponentChildren } from 'preact';
import { Page } from '../../parts/page';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';
import { ModeBar, Shop, useBrandStyles } from './shop';

type CardPageProps = {
  readonly view: Pick<CheckoutView, 'shop' | 'mode'>;
  /** The document's title. */
  readonly title: string;
  readonly children: ComponentChildren;
};

/** A customer's page that never changes by itself: one card with the shop's sign. Its `h1` has the id `title`. */
export function CardPage({ view, title, children }: CardPageProps) {
  return (
    <Page
      title={title}
      style="checkout.css"
      script="checkout.js"
      ownStyles={useBrandStyles(view)}
      version={null}
      events={null}
      before={<ModeBar view={view} />}
    >
      <div class="checkout single">
        <section class="card" aria-labelledby="title">
          <Shop view={view} />
          {children}
        </section>
      </div>
    </Page>
  );
}
