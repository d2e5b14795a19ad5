import { BoundedMap } from '../../kernel/bounded-map';
import { MINUTE_MS, type Clock } from '../../kernel/clock';
import { invariant } from '../../kernel/invariant';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import { guardedTries } from '../../kernel/write-over';
import { fullBefore, MAX_PER_SECOND, TokenBucket, type RateState } from './token-bucket';

/**
 * `address` is for clients that have no key, or not yet; `form` is for the forms of one object's pages, whoever sends
 * them. The rules of accounts hold for all keys together.
 */
export type RateRule = 'write' | 'read' | 'account_write' | 'account_read' | 'address' | 'form';
/** Requests a second, by key and by address. */
type Rates = Readonly<Record<'write' | 'read' | 'address', number>>;

/** An account has the rate of so many keys. */
const KEYS_OF_ACCOUNT = 4;
/** A person sends a form a second at most, and a second one where the first was refused. */
const FORMS_A_SECOND = 2;

/** Requests a second by each rule. */
export function ratesByRule({ write, read, address }: Rates): Readonly<Record<RateRule, number>> {
  return {
    write,
    read,
    account_write: Math.min(KEYS_OF_ACCOUNT * write, MAX_PER_SECOND),
    account_read: Math.min(KEYS_OF_ACCOUNT * read, MAX_PER_SECOND),
    address,
    form: FORMS_A_SECOND,
  };
}

type SharedBucket = { readonly full_at_us: number };
type LocalBucket = {
  readonly rule: RateRule;
  fullAtUs: number;
  /** Tokens taken that the shared bucket does not contain, and the time of the first of them. */
  unshared: number;
  sinceMs: number;
};

export const RATE_LIMIT_BUCKETS: CollectionSpec = {
  name: 'rate_limit_buckets',
  indexes: { by_full_at: ['full_at_us', 'id'] },
};

/**
 * Subjects known to one instance at a time. Beyond this, the subject not seen for the longest time is forgotten, and
 * starts full.
 */
const BUCKETS_LIMIT = 10_000;
/** Longer than every id, address and account. */
const SUBJECT_LENGTH_LIMIT = 128;
const SHARED_PER_ROUND = 1_000;
const SHARED_AT_ONCE = 16;
/**
 * Where several instances write one bucket at once, one of them succeeds at each try. An instance without success in
 * all its tries adds its tokens in the next second.
 */
const GUARDED_TRIES = 4;
const CLEANED_PER_ROUND = 200;
/** Longer than the difference between instances' clocks. */
const KEPT_WHEN_FULL_MS = MINUTE_MS;

/**
 * Limits by key and by client address, shared by all instances over the document store. An instance judges a request by
 * its own bucket, without a look at the store. Once a second the instance adds the tokens taken since then to the
 * shared bucket. The shared bucket then becomes the instance's own. So an instance may let through a full bucket, and a
 * second's rate of tokens, before it knows of the others. Together, n instances let through at most n times three
 * seconds' worth in the first second. Tokens taken beyond the limit stay owed, and all instances wait until they are
 * paid. So over a longer time all instances together keep to the rate. Instances whose clocks differ are off by that
 * difference.
 */
export class RateLimits {
  private readonly local = new BoundedMap<string, LocalBucket>(BUCKETS_LIMIT);
  private readonly buckets: Readonly<Record<RateRule, TokenBucket>>;

  private constructor(
    private readonly shared: Collection<SharedBucket>,
    private readonly clock: Clock,
    rates: Rates,
  ) {
    const { write, read, account_write, account_read, address, form } = ratesByRule(rates);
    this.buckets = {
      write: new TokenBucket(write),
      read: new TokenBucket(read),
      account_write: new TokenBucket(account_write),
      account_read: new TokenBucket(account_read),
      address: new TokenBucket(address),
      form: new TokenBucket(form),
    };
  }

  /** Throws Refusal invalid_rate_limit. */
  static async open(documents: Documents, clock: Clock, rates: Rates): Promise<RateLimits> {
    return new RateLimits(await documents.open<SharedBucket>(RATE_LIMIT_BUCKETS), clock, rates);
  }

  /** Takes a token where there is one; a request that is refused costs none. */
  take(rule: RateRule, subject: string): RateState {
    // One bucket that cannot be stored would keep all others from being shared.
    invariant(subject.length <= SUBJECT_LENGTH_LIMIT, `a ${rule} limit has a subject of ${subject.length} characters`);
    const now = this.clock.now();
    const id = `${rule}:${subject}`;
    const bucket = this.local.get(id) ?? { rule, fullAtUs: 0, unshared: 0, sinceMs: now };
    bucket.fullAtUs = this.buckets[rule].believed(bucket.fullAtUs, now);
    const before = this.buckets[rule].stateAt(bucket.fullAtUs, now);
    if (before.allowed) {
      bucket.fullAtUs = this.buckets[rule].after(bucket.fullAtUs, 1, now);
      if (bucket.unshared === 0) bucket.sinceMs = now;
      bucket.unshared += 1;
    }
    this.local.set(id, bucket);
    return { ...this.buckets[rule].stateAt(bucket.fullAtUs, now), allowed: before.allowed };
  }

  /** The state of the subject's limit, without taking a token. */
  look(rule: RateRule, subject: string): RateState {
    const now = this.clock.now();
    const fullAtUs = this.local.get(`${rule}:${subject}`)?.fullAtUs ?? 0;
    return this.buckets[rule].stateAt(this.buckets[rule].believed(fullAtUs, now), now);
  }

  /** Adds the tokens taken since the last time to the shared buckets, and learns the tokens of others. */
  async share(): Promise<void> {
    const taken = [...this.local].filter(([, bucket]) => bucket.unshared > 0).slice(0, SHARED_PER_ROUND);
    for (let from = 0; from < taken.length; from += SHARED_AT_ONCE) {
      const round = taken.slice(from, from + SHARED_AT_ONCE);
      await Promise.all(round.map(([id, bucket]) => this.shareOne(id, bucket)));
    }
    this.forgetFull();
    await this.clean();
  }

  private async shareOne(id: string, local: LocalBucket): Promise<void> {
    const bucket = this.buckets[local.rule];
    for await (const { standing, write } of guardedTries(this.shared, id, GUARDED_TRIES)) {
      const now = this.clock.now();
      const { unshared } = local;
      const shared = bucket.believed(standing?.full_at_us ?? 0, now);
      const added = bucket.after(shared, unshared, Math.min(local.sinceMs, now));
      // The bucket is never below the instance's own, which knows the gaps between its requests.
      const fullAtUs = Math.max(added, bucket.believed(local.fullAtUs, now));
      if (!(await write({ full_at_us: fullAtUs }))) continue;
      // Tokens taken while the write was under way are still to be shared, on top of all others.
      local.unshared -= unshared;
      local.sinceMs = this.clock.now();
      local.fullAtUs = Math.max(bucket.believed(local.fullAtUs, now), bucket.after(fullAtUs, local.unshared, 0));
      return;
    }
  }

  private forgetFull(): void {
    const now = fullBefore(this.clock.now());
    for (const [id, bucket] of this.local) if (bucket.unshared === 0 && bucket.fullAtUs <= now) this.local.delete(id);
  }

  /** A document that another instance has written meanwhile stays. */
  private async clean(): Promise<void> {
    const to = fullBefore(this.clock.now() - KEPT_WHEN_FULL_MS);
    const full = await this.shared.list({
      index: 'by_full_at',
      equals: {},
      range: { to },
      limit: CLEANED_PER_ROUND,
    });
    await Promise.all(full.map(({ id, version }) => this.shared.deleteUpTo(id, version)));
  }
}
