import type { ComponentChildren } from 'preact';
import { Icon } from './icon';
import { NotCurrent } from './newest';
import { Page } from './page';
import { usePage } from './page-context';
import { SignedForm } from './signed-form';
import { usePaths, useSigned, type Way } from './signed-context';
import { spoken } from './status-badge';

export type SignedPageProps = {
  /** The document's title, without the product's name; the page's heading too, unless `heading` stands there. */
  readonly title: string;
  readonly heading?: ComponentChildren;
  /** The way back to the list that the page's object is one of. */
  readonly back?: { readonly path: string; readonly text: string };
  /** Stands beside the heading, such as a badge and the main action. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

type FramedProps = SignedPageProps & {
  /** Stands before the product's name in the document's title. */
  readonly kind?: string;
  /** The bars and the navigation around the content. */
  readonly surroundings: ComponentChildren;
  /** Stands above the heading. */
  readonly notes?: ComponentChildren;
};

/** A page for signed-in people: navigation and account around the content. */
export function SignedPage(props: FramedProps) {
  const { title, heading = title, back, actions, children, kind = '', surroundings, notes } = props;
  const { version, events, realm, timeZone } = useSigned();
  const { path } = usePage();
  const paths = usePaths();
  return (
    <Page
      {...{ version, events }}
      title={`${title} – ${kind}${realm.product}`}
      style={realm.style}
      script={SCRIPT}
      before={surroundings}
    >
      <NotCurrent path={path} text="This page could not be updated." />
      {notes}
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
      {/* Moments stand without their zone, which is the same for all of a page. */}
      <p class="label">Times and days are those of {timeZone}, unless a page says otherwise.</p>
    </Page>
  );
}

/** The script of all pages of people who sign in. */
export const SCRIPT = 'console.js';

type SideProps = {
  /** Names the navigation. */
  readonly label: string;
  readonly ways: readonly Way[];
  /** The path of the way that the page belongs to. */
  readonly current: string;
  /** Stands above the navigation. */
  readonly children?: ComponentChildren;
  /** A reader without a name is known by the address. */
  readonly reader: { readonly name: string; readonly email: string; readonly role: string };
};

/** The product's name, the navigation and the reader, beside the content or behind a menu. */
export function Side({ label, ways, current, children, reader }: SideProps) {
  const paths = usePaths();
  return (
    <header class="side no-print">
      <Product href={paths('')} />
      <details class="menu" id="menu">
        <summary>Menu</summary>
      </details>
      <div class="drawer">
        {children}
        <Navigation label={label} ways={ways} current={current} />
        <Account {...reader} />
      </div>
    </header>
  );
}

export function Product({ href }: { readonly href: string }) {
  const { realm } = useSigned();
  return (
    <a class="product" href={href}>
      <Icon name={realm.icon} />
      {realm.product}
    </a>
  );
}

function Navigation({ label, ways, current }: Pick<SideProps, 'label' | 'ways' | 'current'>) {
  const groups = [...new Set(ways.map(({ group }) => group))];
  return (
    <nav class="ways" aria-label={label}>
      {groups.map(group => (
        <div key={group}>
          <p class="group" id={`nav-${group}`}>
            {group}
          </p>
          <ul aria-labelledby={`nav-${group}`}>
            {ways
              .filter(way => way.group === group)
              .map(way => (
                <WayLink key={way.path} way={way} isCurrent={way.path === current} />
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function WayLink({ way: { path, text, icon }, isCurrent }: { readonly way: Way; readonly isCurrent: boolean }) {
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

function Account({ name, email, role }: SideProps['reader']) {
  const { root } = usePage();
  const { realm } = useSigned();
  return (
    <div class="account">
      <p>
        <strong>{name}</strong>
        {name !== email && <span>{email}</span>}
        <span>{spoken(role)}</span>
      </p>
      <SignedForm action={`${root}${realm.place}/sign-out`} class="quiet">
        <button class="button" type="submit">
          <Icon name="log-out" />
          Sign out
        </button>
      </SignedForm>
    </div>
  );
}
