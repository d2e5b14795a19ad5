import type { ErrorCode } from '../../vocabulary/error-catalogue';
import { ACCESS_REMEDIES } from './error-remedies/access';
import { MONEY_REMEDIES } from './error-remedies/money';
import { OPERATIONS_REMEDIES } from './error-remedies/operations';
import { PAYMENT_REMEDIES } from './error-remedies/payments';
import { REQUEST_REMEDIES } from './error-remedies/requests';
import { WALLET_REMEDIES } from './error-remedies/wallets';
import { WEBHOOK_REMEDIES } from './error-remedies/webhooks';

/** The remedy for each code, in one line. */
export const ERROR_REMEDIES: Readonly<Record<ErrorCode, string>> = {
  ...ACCESS_REMEDIES,
  ...REQUEST_REMEDIES,
  ...MONEY_REMEDIES,
  ...PAYMENT_REMEDIES,
  ...WALLET_REMEDIES,
  ...WEBHOOK_REMEDIES,
  ...OPERATIONS_REMEDIES,
};
