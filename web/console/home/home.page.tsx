import { Card } from '../../parts/card';
import { useConsole } from '../../parts/console-context';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { usePaths } from '../../parts/signed-context';

/** Objects that wait for somebody. */
export type Waiting = {
  /** The list that shows them, below the console. */
  readonly path: string;
  readonly text: string;
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
};

/** The objects that wait for an administrator, by their lists. */
export function ConsoleHomePage({ waiting }: { readonly waiting: readonly Waiting[] }) {
  const open = waiting.filter(({ count }) => count > 0);
  return (
    <ConsolePage title="Home" current="">
      <Card title="Waiting" liveId="waiting" said={`${open.length} lists have something to do`}>
        {open.length === 0 ? <p>Nothing waits for an administrator.</p> : <WaitingTable waiting={open} />}
      </Card>
    </ConsolePage>
  );
}

function WaitingTable({ waiting }: { readonly waiting: readonly Waiting[] }) {
  const { nav } = useConsole();
  const paths = usePaths();
  const isServed = (path: string) => nav.some(way => way.path === path.split('?', 1)[0]);
  return (
    <DataTable
      name="Waiting"
      columns={[{ heading: 'Matter' }, { heading: 'Number', isNumber: true }]}
      rows={waiting.map(({ path, text, count, isMore }) => ({
        key: text,
        cells: [text.charAt(0).toUpperCase() + text.slice(1), isMore ? `more than ${count}` : String(count)],
        ...(isServed(path) && { href: paths(path) }),
      }))}
    />
  );
}
