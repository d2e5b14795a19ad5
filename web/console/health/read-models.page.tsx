import type { ReadModelView } from '../../../src/modules/system/system-reads';
import { Card } from '../../parts/card';
import { ConsolePage } from '../../parts/console-page';
import { DataTable } from '../../parts/data-table';
import { Badge, spoken, type Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { ActionLink } from '../actions/action-link';
import { HealthTabs } from './health-tabs';
import { lagText } from './health.page';
import { LookAgain } from './look-again';

type RebuildView = NonNullable<ReadModelView['rebuild']>;
type ReadModelsView = { readonly readModels: readonly ReadModelView[]; readonly atMs: number };

const COLUMNS = [
  { heading: 'Read model' },
  { heading: 'State' },
  { heading: 'Behind' },
  { heading: 'Events a second', isNumber: true },
  { heading: 'Remarks' },
  { heading: 'Action' },
];

/** How far each read model has followed the log. Read models at fault come first. */
export function ReadModelsPage({ view: { readModels, atMs } }: { readonly view: ReadModelsView }) {
  const faulty = readModels.filter(({ is_at_fault: isAtFault }) => isAtFault);
  const others = readModels.filter(({ is_at_fault: isAtFault }) => !isAtFault);
  return (
    <ConsolePage title="Read models" current="health" actions={<LookAgain path="health/read-models" atMs={atMs} />}>
      <HealthTabs current="health/read-models" />
      <Card liveId="read-models">
        <p>A read model follows the log. It can be built anew from the log at any time, beside the one in use.</p>
        <DataTable name="Read models" columns={COLUMNS} rows={[...faulty, ...others].map(rowOf)} />
      </Card>
    </ConsolePage>
  );
}

function rowOf(readModel: ReadModelView) {
  const { read_model: name, lag_ms: lag, events_per_second: speed } = readModel;
  return {
    key: name,
    cells: [
      spoken(name),
      <Badge key="state" tone={toneOf(readModel)} text={spoken(readModel.state)} />,
      lagText(lag),
      Math.round(speed),
      <Remarks key="remarks" readModel={readModel} />,
      <ActionLink key="build" action="rebuildReadModel" text="Build anew" target={name} of={spoken(name)} />,
    ],
  } as const;
}

function toneOf({ is_at_fault: isAtFault, state }: ReadModelView): Tone {
  if (isAtFault) return 'bad';
  return state === 'following' ? 'ok' : 'info';
}

function Remarks({ readModel }: { readonly readModel: ReadModelView }) {
  const { rebuild, version, stored_version: stored, error } = readModel;
  return (
    <span class="wrapped">
      {error}
      {rebuild !== null && <Rebuild rebuild={rebuild} />}
      {rebuild === null && error === null && (stored === version ? '–' : `Version ${version} is to be built.`)}
    </span>
  );
}

function Rebuild({ rebuild: { begun_at: begun, reached_at: reached } }: { readonly rebuild: RebuildView }) {
  return (
    <>
      {' '}
      Being built since <TimeOf at={begun} />
      {reached !== null && (
        <>
          , up to events of <TimeOf at={reached} />
        </>
      )}
      .
    </>
  );
}
