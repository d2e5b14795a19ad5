import type { ComponentChildren } from 'preact';
import { unreachable } from '../../src/kernel/invariant';
import type { PauseReason } from '../../src/modules/merchants/merchants.read-model';
import { permits } from '../../src/vocabulary/roles';
import { useDashboard, useMay, useReader, type NavEntry } from './dashboard-context';
import { pathInMode, usePaths } from './dashboard-path';
import { SignedForm } from './signed-form';
import { Icon } from './icon';
import { NotCurrent } from './newest';
import { Note } from './note';
import { Page } from './page';
import { usePage } from './page-context';

type DashboardPageProps = {
  /** The document's title, without the product's name; the page's heading too, unless `heading` stands there. */
  readonly title: string;
  readonly heading?: ComponentChildren;
  /** The entry of the navigation that the page belongs to, such as `payments`; empty for the home. */
  readonly current: string;
  /** The way back to the list that the page's object is one of. */
  readonly back?: { readonly path: string; readonly text: string };
  /** Stands beside the heading, such as a badge and the main action. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A page for signed-in people: navigation, mode and account around the content. */
export function DashboardPage({ title, heading = title, current, back, actions, children }: DashboardPageProps) {
  const { version, events, mode } = useDashboard();
  const { path } = usePage();
  const paths = usePaths();
  const shownTitle = `${title} – ${mode === 'test' ? 'Test mode – ' : ''}Quittance`;
  return (
    <Page {...{ version, events }} title={shownTitle} {...CONSOLE} before={<Surroundings current={current} />}>
      <NotCurrent path={path} text="This page could not be updated." />
      <AccountNote />
      <div class="heading">
        <div>
          {back && (
            <a class="back" href={paths(back.path)}>
              {back.text}
            </a>
          )}
          <h1>{heading}</h1>
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
      <Zone />
    </Page>
  );
}

/** Moments stand without their zone, which is the same for all of a page. */
function Zone() {
  const { timeZone } = useReader();
  return <p class="label">Times and days are those of {timeZone}, unless a page says otherwise.</p>;
}

export const CONSOLE = { style: 'console.css', script: 'console.js' } as const;

function Surroundings({ current }: { readonly current: string }) {
  const { merchantName } = useReader();
  const paths = usePaths();
  return (
    <>
      <ModeBar />
      <header class="side no-print">
        <a class="product" href={paths('')}>
          <Icon name="receipt-text" />
          Quittance
        </a>
        <details class="menu" id="menu">
          <summary>Menu</summary>
        </details>
        <div class="drawer">
          <p class="merchant">{merchantName}</p>
          <ModeSwitch />
          <Navigation current={current} />
          <Account />
        </div>
      </header>
    </>
  );
}

/** Stands on every page of test mode. */
export function ModeBar() {
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

function Navigation({ current }: { readonly current: string }) {
  const { nav, mode } = useDashboard();
  const { role } = useReader();
  const isShown = ({ permission, testOnly }: NavEntry) =>
    (permission === null || permits(role, permission)) && (!testOnly || mode === 'test');
  const shown = nav.filter(isShown);
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <nav class="ways" aria-label="Dashboard">
      {groups.map(group => (
        <div key={group}>
          <p class="group" id={`nav-${group}`}>
            {group}
          </p>
          <ul aria-labelledby={`nav-${group}`}>
            {shown
              .filter(entry => entry.group === group)
              .map(entry => (
                <Way key={entry.path} entry={entry} isCurrent={entry.path === current} />
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Way({ entry: { path, text, icon }, isCurrent }: { readonly entry: NavEntry; readonly isCurrent: boolean }) {
  const paths = usePaths();
  return (
    <li>
      <a href={paths(path)} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={icon} />
        {text}
      </a>
    </li>
  );
}

function Account() {
  const { root } = usePage();
  const { name, email, role } = useReader();
  return (
    <div class="account">
      <p>
        <strong>{name}</strong>
        <span>{name === email ? role : `${email}, ${role}`}</span>
      </p>
      <SignedForm action={`${root}/dashboard/sign-out`} class="quiet">
        <button class="button" type="submit">
          <Icon name="log-out" />
          Sign out
        </button>
      </SignedForm>
    </div>
  );
}
