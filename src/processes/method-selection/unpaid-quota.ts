import { createHmac } from 'node:crypto';
import { isoTime, parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import type { MerchantContext } from '../../kernel/command-context';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { guardedTries } from '../../kernel/write-over';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import type { Mode } from '../../vocabulary/modes';
import { refuse, type Refusal } from '../../vocabulary/errors';

/** About 5% of the amounts of a small price, which has 999 of them. */
export const UNPAID_LIMIT = 50;
/** Paid payments are looked for at most so often, so a refused try costs little. */
const LOOK_PAUSE_MS = 30 * SECOND_MS;
/** Where several try at once, one of them succeeds in each round. */
const GUARDED_TRIES = 16;
const RIVALS_RETRY_SECONDS = 1;
/** Each new entry removes several lapsed documents, so they never pile up. */
const CLEANED_AT_A_TIME = 16;
const UNKNOWN_SUBJECT = 'unknown';

/** `ends_at` is by the merchant's clock, as the reservation's end is. */
type Unpaid = { readonly command: string; readonly payment_intent: string; readonly ends_at: string };

type UnpaidDocument = {
  readonly unpaid: readonly Unpaid[];
  /** The last look for paid ones; null before the first. */
  readonly looked_at: string | null;
  /** By the wall's clock. All entries have ended by then. */
  readonly lapses_at: string;
};

export const UNPAID_QUOTAS: CollectionSpec = { name: 'unpaid_quotas', indexes: { by_lapse: ['lapses_at', 'id'] } };

type UnpaidQuotaMeans = {
  readonly readModels: Pick<ReadModels, 'get'>;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
  /** The subject by which a client address is counted; null for a text that is no address. */
  readonly subjectOf: (address: string) => string | null;
  readonly clock: Clock;
};

/**
 * The amounts that customers of one client network hold at a merchant in a mode, unpaid. Strangers can open payments at
 * a link, so without a limit one customer could hold every amount of a price.
 */
export class UnpaidQuota {
  private constructor(
    private readonly quotas: Collection<UnpaidDocument>,
    private readonly means: UnpaidQuotaMeans,
  ) {}

  static async open(documents: Documents, means: UnpaidQuotaMeans): Promise<UnpaidQuota> {
    return new UnpaidQuota(await documents.open<UnpaidDocument>(UNPAID_QUOTAS), means);
  }

  /** Counts the payment until `forMs` have passed. Throws Refusal rate_limit. The same command counts once. */
  async count(paymentIntent: string, forMs: number, context: MerchantContext): Promise<void> {
    const { universe: mode, commandId: command, now } = context;
    const id = await this.idOf(context);
    const entry = { command, payment_intent: paymentIntent, ends_at: isoTime(now + forMs) };
    for await (const { standing, write } of guardedTries(this.quotas, id, GUARDED_TRIES)) {
      const wallMs = this.means.clock.now();
      const unpaid = notEnded(standing, now);
      if (unpaid.some(other => other.command === command)) return;
      const isFull = unpaid.length >= UNPAID_LIMIT;
      const lookedAt = standing?.looked_at ?? null;
      if (isFull && isRecent(lookedAt, wallMs)) throw tooMany(unpaid, now);
      const left = isFull ? await this.withoutPaid(mode, unpaid) : unpaid;
      const hasRoom = left.length < UNPAID_LIMIT;
      const isWritten = await write({
        unpaid: hasRoom ? [...left, entry] : left,
        looked_at: isFull ? isoTime(wallMs) : lookedAt,
        lapses_at: hasRoom ? isoTime(wallMs + forMs) : (standing?.lapses_at ?? isoTime(wallMs)),
      });
      if (!isWritten) continue;
      if (!hasRoom) throw tooMany(left, now);
      return this.clean(wallMs);
    }
    throw refuse('rate_limit', { retryAfterSeconds: RIVALS_RETRY_SECONDS });
  }

  /** The command reserves nothing. Its entry ends by itself where others write all the time. */
  async discount(context: MerchantContext): Promise<void> {
    const id = await this.idOf(context);
    for await (const { standing, write } of guardedTries(this.quotas, id, GUARDED_TRIES)) {
      const unpaid = standing?.unpaid.filter(({ command }) => command !== context.commandId) ?? [];
      if (standing === null || unpaid.length === standing.unpaid.length) return;
      if (await write({ ...standing, unpaid })) return;
    }
  }

  /** A keyed hash, so the documents tell nobody's address. */
  private async idOf({ universe: mode, merchantId, ip }: MerchantContext): Promise<string> {
    const { secretBox, subjectOf } = this.means;
    const subject = (ip === null ? null : subjectOf(ip)) ?? UNKNOWN_SUBJECT;
    const text = ['unpaid quota', mode, merchantId, subject].join('\n');
    return createHmac('sha256', await secretBox.deriveKey('ids'))
      .update(text)
      .digest('hex');
  }

  private async withoutPaid(mode: Mode, unpaid: readonly Unpaid[]): Promise<readonly Unpaid[]> {
    const { readModels } = this.means;
    const isPaid = await Promise.all(
      unpaid.map(async ({ payment_intent: id }) => {
        const payment = await readModels.get(paymentIntentsReadModel, mode, id);
        return payment?.body.transfers.some(({ status }) => status !== 'reorged' && status !== 'failed') ?? false;
      }),
    );
    return unpaid.filter((_, index) => !isPaid[index]);
  }

  private async clean(wallMs: number): Promise<void> {
    const range = { to: isoTime(wallMs) };
    const lapsed = await this.quotas.list({ index: 'by_lapse', equals: {}, range, limit: CLEANED_AT_A_TIME });
    await Promise.all(lapsed.map(({ id, version }) => this.quotas.deleteAt(id, version)));
  }
}

function notEnded(standing: UnpaidDocument | null, now: number): readonly Unpaid[] {
  return standing?.unpaid.filter(({ ends_at }) => parseIsoTime(ends_at) > now) ?? [];
}

/** A time ahead was written by a clock that has been set back since. */
function isRecent(lookedAt: string | null, wallMs: number): boolean {
  return lookedAt !== null && Math.abs(wallMs - parseIsoTime(lookedAt)) < LOOK_PAUSE_MS;
}

function tooMany(unpaid: readonly Unpaid[], now: number): Refusal {
  const firstEndMs = Math.min(...unpaid.map(({ ends_at }) => parseIsoTime(ends_at)));
  return refuse('rate_limit', {
    param: 'token_id',
    message: `${UNPAID_LIMIT} payments of this merchant were begun from this address and not paid.`,
    retryAfterSeconds: Math.ceil((firstEndMs - now) / SECOND_MS),
  });
}
