import type { ComponentChildren } from 'preact';
import { NotCurrent } from '../../parts/newest';
import { Page } from '../../parts/page';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';
import { ModeBar, Shop, useBrandStyles } from './shop';

type CardPageProps = {
  readonly view: Pick<CheckoutView, 'shop' | 'mode'>;
  /** The document's title. */
  readonly title: string;
  /** The path of a page that changes by itself, and the state that it shows. */
  readonly live?: { readonly path: string; readonly version: string };
  readonly children: ComponentChildren;
};

/** A customer's page of one card with the shop's sign. Its `h1` has the id `title`. */
export function CardPage({ view, title, live, children }: CardPageProps) {
  return (
    <Page
      title={title}
      style="checkout.css"
      script="checkout.js"
      ownStyles={useBrandStyles(view)}
      version={live?.version ?? null}
      events={live ? `${live.path}/events` : null}
      before={<ModeBar view={view} />}
      after={live && <NotCurrent path={live.path} />}
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
