import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { DESCRIPTION_LENGTH } from '../../../src/modules/payment-intents/payment-intent.commands';
import type { PaymentRow } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable } from '../../parts/data-table';
import { SelectField, TextField } from '../../parts/fields';
import { Money } from '../../parts/money';
import { usePaths } from '../../parts/signed-context';
import { SignedForm, Submit } from '../../parts/signed-form';
import { TimeOf } from '../../parts/time-of';
import { Standing } from '../payments/payments.page';
import { PlayedPayment, RefusedPlay } from './played-payment';
import type { ShownPayment } from './shown-payment';
import { SPANS } from './simulate-form';

type SimulatePageProps = {
  /** The time by the clock of test mode. */
  readonly now: string;
  readonly aheadMs: number;
  readonly recent: readonly PaymentRow[];
  readonly chosen: ShownPayment | null;
};

/** The panel of test mode. */
export function SimulatePage({ now, aheadMs, recent, chosen }: SimulatePageProps) {
  const paths = usePaths();
  return (
    <DashboardPage title="Simulate" current="simulate">
      <RefusedPlay payment={chosen} />
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
            rows={recent.map(row => ({
              key: row.id,
              href: paths(`simulate/${row.id}`),
              cells: [
                <Money
                  key="amount"
                  minorUnits={row.amountMinorUnits}
                  currency={row.currency}
                  decimals={row.currencyDecimals}
                />,
                <Standing key="status" status={row.status} isHoldOpen={row.isHoldOpen} isRejected={row.isRejected} />,
                <TimeOf key="created" at={row.created} />,
                <code key="id">{row.id}</code>,
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
