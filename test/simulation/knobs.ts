/** Kinds of world, each of which can be turned off on its own. */
export const KNOBS = [
  /** Several payments in one transaction, logs of others between them. */
  'batches',
  /** A reorganisation puts a transaction's logs in another order, or others before them. */
  'shifts',
  /** A fork that was left becomes the chain again, and a changed value gets its former one. */
  'returns',
  /** A fork comes back just as the other one has been read. */
  'traps',
  /** A transfer of next to nothing is named for a payment. */
  'crumbs',
  /** Several endpoints a shop, each with its own types. */
  'endpoints',
  /** Endpoints are disabled and enabled again. */
  'switches',
  /** Blocks full of dust and of logs of others, and a payment that is paid many times. */
  'crowds',
  /** A payment is paid more often than it takes transfers. */
  'masses',
  /** One process's providers stay behind, or on a fork, while another process's go on. */
  'views',
  /**
   * Providers are asked one by one, and one of them fails one kind of question, tells other times, or calls little
   * final.
   */
  'providers',
  /** Documents that cannot be written for a while, and projections that follow the log minutes behind it. */
  'documents',
  /** Wallets and routes that are added meanwhile, and quoted on at once. */
  'wallets',
  /** Namings long before their transaction, and several of one transaction by several payments. */
  'namings',
  /** Rates that move, several currencies, and amounts at the bound between two finality tiers. */
  'prices',
  /** An operator who corrects and invoices fees, over and over. */
  'fees',
  /** Payment links, opened by several customers at once, limited, ended and deactivated. */
  'links',
  /** Invoices that are drafted and issued together, paid twice, void, or overdue. */
  'invoices',
] as const;
export type Knob = (typeof KNOBS)[number];

/** All knobs are on, unless `SIMULATION_KNOBS` says `none`, or names the chosen ones, with commas between. */
function chosen(): ReadonlySet<string> {
  const names = process.env.SIMULATION_KNOBS;
  if (names === 'none') return new Set();
  if (names !== undefined) return new Set(names.split(','));
  return new Set(KNOBS);
}

const ON = chosen();

export function isOn(knob: Knob): boolean {
  return ON.has(knob);
}
