import { evolveAll } from '../../../src/modules/payment-intents/payment-intent.state';
import { wayOfPayments } from '../../../src/processes/invoices/former-payment';
import { HISTORIES } from '../../modules/payment-intents/histories';

type Ended = keyof typeof HISTORIES;

it.each<[readonly Ended[], number, string]>([
  [['none'], 0, 'go_on'],
  [['created'], 0, 'go_on'],
  [['underpaid'], 0, 'part_paid'],
  [['confirming'], 0, 'under_way'],
  [['expired'], 0, 'anew'],
  [['expired', 'canceled'], 1, 'anew'],
  [['expired', 'created'], 1, 'go_on'],
  [['expired', 'detected'], 1, 'under_way'],
  [['paid_late', 'created'], 0, 'under_way'],
  [['canceled', 'paid_late', 'expired', 'expired'], 1, 'under_way'],
])('an invoice of payments that are %j leads to number %d, to %s', (ended, at, paying) => {
  expect(wayOfPayments(ended.map(status => evolveAll(HISTORIES[status])))).toEqual({ at, paying });
});
