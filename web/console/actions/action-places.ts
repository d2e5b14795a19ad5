import type { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';

export type ActionName = keyof typeof ADMIN_ACTIONS;

/** The page that an action belongs to, and the one that shows what it did. */
type Place = {
  /** The list, below the console. */
  readonly list: string;
  /** By the target; by default the list. */
  readonly object?: (target: string) => string;
};

const of = (list: string): Place => ({ list, object: target => `${list}/${encodeURIComponent(target)}` });

const PLACES: Readonly<Record<ActionName, Place>> = {
  approveKybCase: of('kyb'),
  rejectKybCase: of('kyb'),
  placeHold: { list: 'holds' },
  releaseHold: of('holds'),
  rejectHold: of('holds'),
  resolveReview: { list: 'reviews' },
  resolveTransfer: of('transfers'),
  reopenTransfer: of('transfers'),
  resolveClaim: of('claims'),
  suspendMerchant: of('merchants'),
  resumeMerchant: of('merchants'),
  closeMerchant: of('merchants'),
  setKillSwitch: { list: 'switches' },
  liftKillSwitch: { list: 'switches' },
  adjustFees: { list: 'fees' },
  invoiceFees: { list: 'fees' },
  payFeeInvoice: { list: 'fees' },
  closeCoverageHole: { list: 'coverage' },
  giveUpDeferredTransfer: { list: 'coverage' },
  replayParked: { list: 'health', object: group => `health/groups/${group}` },
  rebuildReadModel: { list: 'health', object: () => 'health/read-models' },
  inviteAdmin: { list: 'admins' },
  changeAdmin: { list: 'admins' },
  setVelocityLimit: { list: 'controls' },
  liftVelocityLimit: { list: 'controls' },
  blockCountries: { list: 'controls' },
  setScreeningTimeout: { list: 'controls' },
  addSanctionsEntry: { list: 'sanctions' },
  removeSanctionsEntry: { list: 'sanctions' },
  setMerchantLimits: of('merchants'),
};

/** The objects of a list, as a form asks for one of them. */
const OBJECTS: Readonly<Record<string, string>> = {
  kyb: 'Case',
  holds: 'Hold',
  reviews: 'Payment',
  transfers: 'Transfer',
  claims: 'Named transaction',
  merchants: 'Merchant',
  switches: 'Switch',
  fees: 'Fee invoice',
  admins: 'Administrator',
  controls: 'Limit',
  sanctions: 'Address',
};

/** The object of an action, by the noun of its list. */
export function objectName(name: ActionName): string {
  return OBJECTS[PLACES[name].list] ?? 'Object';
}

/** The entry of the navigation that an action belongs to. */
export function listOf(name: ActionName): string {
  return PLACES[name].list;
}

/** The page that shows the object of an action. */
export function objectPageOf(name: ActionName, target: string): string {
  const { list, object } = PLACES[name];
  return object?.(target) ?? list;
}

/** The path of an action's page, below the console: `actions/release-hold`. */
export function actionPath(name: ActionName): string {
  return `actions/${name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}
