import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { DESCRIPTION_LENGTH } from '../../../src/modules/payment-intents/payment-intent.commands';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { SelectField, TextField } from '../../parts/fields';
import { usePage } from '../../parts/page-context';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { StatusBadge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { PlayedPayment } from './played-payment';
import type { ShownPayment } from './shown-payment';
import { SPANS } from './simulate-form';

type RecentPayment = {
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
  readonly currency_decimals: number;
  readonly status: string;
  readonly created: string;
};

type SimulatePageProps = {
  /** The time by the clock of test mode. */
  readonly now: string;
  readonly aheadMs: number;
  readonly recent: readonly RecentPayment[];
  readonly chosen: ShownPayment | null;
};

/** The panel of test mode. */
export function SimulatePage({ now, aheadMs, recent, chosen }: SimulatePageProps) {
  const { language } = usePage();
  const paths = usePaths();
  return (
    <DashboardPage title="Simulate" current="simulate">
      <p class="lead">Play your customers: real tokens of local chains, which are worth nothing.</p>
      <div class="columns loose">
        <div class="stack">
          {chosen !== null && <PlayedPayment payment={chosen} />}
          <Card title={chosen === null ? 'Make a payment' : 'Make another payment'}>
            <SignedForm action={paths('simulate/payments')}>
              <TextField name="amount" label="Amount" value="25.00" keyboard="decimal" maxLength={40} />
              <TextField name="currency" label="Currency" value="EUR" maxLength={3} />
              <TextField
                name="description"
                label="For"
                hint="Shown at checkout."
                maxLength={DESCRIPTION_LENGTH}
                isOptional
              />
              <Submit isMain={chosen === null}>Make the payment</Submit>
            </SignedForm>
          </Card>
        </div>
        <Clock now={now} aheadMs={aheadMs} payment={chosen?.id ?? null} />
      </div>
      <Card title="Newest payments" liveId="recent">
        {recent.length === 0 ? (
          <p>There are no payments in test mode yet.</p>
        ) : (
          <DataTable
            name="Newest payments"
            columns={[
              { heading: 'Amount', isNumber: true },
              { heading: 'Status' },
              { heading: 'Created' },
              { heading: 'Payment' },
            ]}
            rows={recent.map(({ id, amount, currency, currency_decimals: decimals, status, created }) => ({
              key: id,
              href: paths(`simulate/${id}`),
              cells: [
                language.money(amount, currency, decimals),
                <StatusBadge key="status" status={status} />,
                <TimeOf key="created" at={created} />,
                <code key="id">{id}</code>,
              ],
            }))}
          />
        )}
      </Card>
    </DashboardPage>
  );
}

type ClockProps = { readonly now: string; readonly aheadMs: number; readonly payment: string | null };

function Clock({ now, aheadMs, payment }: ClockProps) {
  const paths = usePaths();
  return (
    <Card title="Clock of test mode">
      <div class="figure" id="clock" data-live>
        <p class="value">
          <TimeOf at={now} />
        </p>
        <p class="label">{aheadText(aheadMs)}</p>
      </div>
      <SignedForm action={paths(payment === null ? 'simulate/clock' : `simulate/${payment}/clock`)}>
        <SelectField
          name="span"
          label="Advance by"
          hint="What falls due meanwhile happens at once. A clock is never put back."
          value="15m"
          options={SPANS}
        />
        <Submit isMain={false}>Advance the clock</Submit>
      </SignedForm>
    </Card>
  );
}

function aheadText(aheadMs: number): string {
  const ms = Math.round(aheadMs / MINUTE_MS) * MINUTE_MS;
  if (ms === 0) return 'As the real time';
  const parts = [
    ms >= DAY_MS && `${Math.floor(ms / DAY_MS)} d`,
    ms % DAY_MS >= HOUR_MS && `${Math.floor((ms % DAY_MS) / HOUR_MS)} h`,
    ms % HOUR_MS > 0 && `${(ms % HOUR_MS) / MINUTE_MS} min`,
  ];
  return `${parts.filter(Boolean).join(' ')} ahead of the real time`;
}
