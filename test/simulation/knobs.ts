/** Kinds of world, each of which can be turned off on its own. */
export const KNOBS = [
  /** Several payments in one transaction, logs of others between them. */
  'batches',
  /** A reorganisation puts a transaction's logs in another order, or others before them. */
  'shifts',
  /** A fork that was left becomes the chain again, and a value that changed is what it was. */
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
  /** Rates that move, several currencies, and amounts at the bound between two finality tiers. */
  'prices',
] as const;
export type Knob = (typeof KNOBS)[number];

/** Those that the sources do not stand yet, each with the reason. */
export const OFF: Readonly<Partial<Record<Knob, string>>> = {
  returns: 'a value that changes and comes back leaves its transfer with one payment and in the queue, or with two',
  crumbs: 'a named transfer below a hundredth of a token is taken for dust where a reorganisation puts it',
  masses: 'a payment takes as many transfers as come, until its stream is too long to be read',
  views: 'a sighting of a replaced block that comes second takes the place of the first, and nobody looks again',
  switches: 'an endpoint is judged as it is when a message is taken up, not as it was at the event',
};

/** `SIMULATION_KNOBS` names those that are on: `all`, `none`, or their names with commas between. */
function chosen(): ReadonlySet<string> {
  const names = process.env.SIMULATION_KNOBS;
  if (names === 'all') return new Set(KNOBS);
  if (names === 'none') return new Set();
  if (names !== undefined) return new Set(names.split(','));
  return new Set(KNOBS.filter(knob => OFF[knob] === undefined));
}

const ON = chosen();

export function isOn(knob: Knob): boolean {
  return ON.has(knob);
}
