import type { ComponentChildren } from 'preact';
import { Card } from '../../parts/card';
import { Confirm } from '../../parts/confirm';
import { Copied } from '../../parts/copied';
import { Copy } from '../../parts/copy';
import { useMay } from '../../parts/dashboard-context';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { Empty } from '../../parts/list-parts';
import { Qr } from '../../parts/qr';
import { useFault, usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import { OpenedPayments, type OpenedPayment } from '../opened-payments';
import { LinkAmount, StandingBadge, usesText, type StandingLink } from './link-parts';

export type LinkView = {
  readonly link: StandingLink;
  /** The newest payments that were opened from the link. */
  readonly payments: readonly OpenedPayment[];
  readonly hasMore: boolean;
};

type Entry = readonly [term: string, value: ComponentChildren];

const BACK = { path: 'links', text: 'Links' } as const;

/** A link with its address, its payments and its end. */
export function LinkPage({ view: { link, payments, hasMore } }: { readonly view: LinkView }) {
  const standing = (
    <div id="standing" data-live>
      <StandingBadge standing={link.standing} />
    </div>
  );
  return (
    <DashboardPage title="Link" heading={<LinkAmount link={link} />} current="links" back={BACK} actions={standing}>
      <div class="columns">
        <div class="stack">
          <Address link={link} />
          <Payments payments={payments} hasMore={hasMore} />
        </div>
        <div class="stack">
          <Terms link={link} />
          <End link={link} />
        </div>
      </div>
    </DashboardPage>
  );
}

function Address({ link: { url } }: { readonly link: StandingLink }) {
  return (
    <Card title="Address for customers">
      <p>Everybody who has this address can open payments by it. Give it in a message, or print the code.</p>
      <p class="copied">
        <a href={url} class="mono">
          {url}
        </a>
        <Copy text={url} label="Copy the address" />
      </p>
      <Qr text={url} label="Code of the link’s address" />
    </Card>
  );
}

function Payments({ payments, hasMore }: Pick<LinkView, 'payments' | 'hasMore'>) {
  return (
    <Card title="Payments opened from it" liveId="payments">
      {payments.length === 0 ? (
        <Empty icon="arrow-left-right" title="The link has not been used yet" />
      ) : (
        <OpenedPayments payments={payments} />
      )}
      {hasMore && <p>These are the newest {payments.length}. The list of payments has all.</p>}
    </Card>
  );
}

function Terms({ link }: { readonly link: StandingLink }) {
  const entries: readonly Entry[] = [
    ['Uses', usesText(link)],
    ['Kind', link.kind === 'fixed' ? 'Fixed amount' : 'The customer chooses the amount'],
    ['Description', link.description ?? '–'],
    ['Last moment', link.expires_at === null ? 'No end' : <TimeOf key="end" at={link.expires_at} />],
    ['Page after checkout', link.success_url ?? 'That of the settings'],
    ...Object.entries(link.metadata).map(([name, value]) => [`Metadata: ${name}`, value] as const),
    ['Created', <TimeOf key="created" at={link.created} />],
    ...(link.deactivated_at === null
      ? []
      : [['Deactivated', <TimeOf key="deactivated" at={link.deactivated_at} />] as const]),
    ['Id', <Copied key="id" text={link.id} label="Copy the id" />],
  ];
  return (
    <Card title="Terms" liveId="terms">
      <Definitions entries={entries} />
    </Card>
  );
}

function End({ link }: { readonly link: StandingLink }) {
  const paths = usePaths();
  const fault = useFault();
  const mayManage = useMay('link.manage');
  if (!mayManage || link.deactivated_at !== null) return null;
  const action = paths(`links/${link.id}/deactivate`);
  return (
    <Card title="End the link" liveId="end">
      <Confirm
        id="deactivate"
        action={action}
        button="Deactivate"
        isOpen={fault?.action === action}
        text={
          <p>
            Nobody can open a payment by this link any more. Payments that were opened before go on. A link is never
            made active again: make another one.
          </p>
        }
      />
    </Card>
  );
}
