import { unreachable } from '../../src/kernel/invariant';
import type { PauseReason } from '../../src/modules/merchants/merchants.read-model';
import { permits } from '../../src/vocabulary/roles';
import { useDashboard, useMay, useReader, type NavEntry } from './dashboard-context';
import { pathInMode } from './dashboard-path';
import { Note } from './note';
import { usePage } from './page-context';
import { usePaths } from './signed-context';
import { Side, SignedPage, type SignedPageProps } from './signed-page';

type DashboardPageProps = SignedPageProps & {
  /** The entry of the navigation that the page belongs to, such as `payments`; empty for the home. */
  readonly current: string;
};

/** A page for signed-in people: navigation, mode and account around the content. */
export function DashboardPage({ current, ...page }: DashboardPageProps) {
  const { mode } = useDashboard();
  return (
    <SignedPage
      {...page}
      kind={mode === 'test' ? 'Test mode – ' : ''}
      surroundings={<Surroundings current={current} />}
      notes={<AccountNote />}
    />
  );
}

function Surroundings({ current }: { readonly current: string }) {
  const { nav, mode } = useDashboard();
  const { merchantName, ...reader } = useReader();
  const isShown = ({ permission, testOnly }: NavEntry) =>
    (permission === null || permits(reader.role, permission)) && (!testOnly || mode === 'test');
  return (
    <>
      <ModeBar />
      <Side label="Dashboard" ways={nav.filter(isShown)} current={current} reader={reader}>
        <p class="merchant">{merchantName}</p>
        <ModeSwitch />
      </Side>
    </>
  );
}

/** Stands on every page of test mode. */
function ModeBar() {
  const { mode } = useDashboard();
  if (mode !== 'test') return null;
  return (
    <aside class="mode-bar" aria-label="Mode">
      Test mode: no real money moves
    </aside>
  );
}

/** Stands on each page of a mode that takes no payments, with the reason and the way out. */
function AccountNote() {
  const { account } = useReader();
  const { mode } = useDashboard();
  const { isClosed, pause } = account;
  if (isClosed)
    return (
      <Note tone="warn" icon="ban">
        <p>This account is closed. You can read it, and nothing new can be made.</p>
      </Note>
    );
  if (pause === null || pause === 'not_active') return null;
  return (
    <Note tone="warn" icon="shield-alert">
      <p>
        <strong>{mode === 'test' ? 'Test' : 'Live'} mode takes no new payments.</strong> <WayOut pause={pause} />
      </p>
    </Note>
  );
}

function WayOut({ pause }: { readonly pause: Exclude<PauseReason, 'not_active'> }) {
  const paths = usePaths();
  const mayVerify = useMay('kyb.manage');
  switch (pause) {
    case 'kyb':
      if (!mayVerify) return <>The business is not verified yet, which an owner asks for.</>;
      return (
        <>
          Your business is not verified yet. <a href={paths('verification')}>Verification</a>
        </>
      );
    case 'operator':
      return <>The operator of this service has stopped it. Payments under way are carried on.</>;
    case 'fee_invoice':
      return (
        <>
          A fee invoice is overdue. <a href={paths('fees')}>Fees</a>
        </>
      );
    default:
      return unreachable(pause);
  }
}

function ModeSwitch() {
  const { root } = usePage();
  const { mode, modes } = useDashboard();
  if (modes.length < 2) return null;
  return (
    <nav class="mode-switch" aria-label="Mode">
      {modes.map(each => (
        <a key={each} class={each} href={pathInMode(root, each, '')} aria-current={each === mode ? 'true' : undefined}>
          {each === 'test' ? 'Test mode' : 'Live mode'}
        </a>
      ))}
    </nav>
  );
}
