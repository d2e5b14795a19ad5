import { adminPermits } from '../../src/vocabulary/admin-roles';
import { useAdministrator, useConsole } from './console-context';
import { Side, SignedPage, type SignedPageProps } from './signed-page';

type ConsolePageProps = SignedPageProps & {
  /** The entry of the navigation that the page belongs to, such as `holds`; empty for the home. */
  readonly current: string;
};

/** A page for signed-in administrators. */
export function ConsolePage({ current, ...page }: ConsolePageProps) {
  return <SignedPage {...page} surroundings={<Surroundings current={current} />} />;
}

function Surroundings({ current }: { readonly current: string }) {
  const { nav } = useConsole();
  const reader = useAdministrator();
  return (
    <>
      <OperatorBar />
      <Side
        label="Console"
        ways={nav.filter(({ permission }) => adminPermits(reader.role, permission))}
        current={current}
        reader={reader}
      />
    </>
  );
}

/** Stands on every page of the console, so that nobody takes it for a merchant's dashboard. */
export function OperatorBar() {
  return (
    <aside class="operator-bar" aria-label="Place">
      Operator console: what you do here concerns all merchants
    </aside>
  );
}
