import { HOUR_MS, isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import { guardedTries } from '../../kernel/write-over';
import type { WritePath } from '../../kernel/write-path';
import type { RealmName } from '../../vocabulary/realms';
import type { Person } from './person';
import { sessionContext, SIGN_IN_ACTORS } from './session-context';
import { refusalsId, signInRefusals } from './sign-in-refusals.decider';
import type { SignInRefusalReason } from './sign-in-refusals.events';
import type { Client } from './signed-in';

/** Refusals within an hour, from all networks, of which the user is told by e-mail. */
const TOLD_REFUSALS = 20;
const GUARDED_TRIES = 16;

type RefusedSignIn = Pick<Person, 'userId' | 'merchantId' | 'email'> & {
  readonly realm: RealmName;
  readonly reason: SignInRefusalReason;
  readonly client: Client;
  readonly requestId: string;
};

/** Many refusals of one user. `at` names the message: a user gets one an hour at most. */
export type ManyRefusals = Pick<RefusedSignIn, 'realm' | 'userId' | 'merchantId' | 'email'> & {
  readonly refusals: number;
  readonly at: string;
};

/** Gets the users whom somebody else seems to sign in as. The composition root provides it. */
export interface RefusedSignInsNotice {
  tell(refusals: ManyRefusals): Promise<void>;
}

export const REFUSED_SIGN_INS_NOTICE = Symbol('RefusedSignInsNotice');

type RefusalTimes = { readonly refused_at: readonly string[]; readonly told_at: string | null };

const SIGN_IN_REFUSALS: CollectionSpec = { name: 'sign_in_refusal_times', indexes: {} };
const NONE: RefusalTimes = { refused_at: [], told_at: null };

/**
 * Records refused sign-ins of users. All of it happens after the answer: an answer that waited for it would tell that
 * the address has a user.
 */
export class RefusedSignIns {
  private readonly underWay = new Set<Promise<void>>();

  private constructor(
    private readonly times: Collection<RefusalTimes>,
    private readonly writePath: WritePath,
    private readonly notice: RefusedSignInsNotice,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  static async open(documents: Documents, ...parts: [WritePath, RefusedSignInsNotice, Clock, Log]) {
    return new RefusedSignIns(await documents.open<RefusalTimes>(SIGN_IN_REFUSALS), ...parts);
  }

  /** A record that is lost to an outage is logged: the person was refused all the same. */
  note(refused: RefusedSignIn): void {
    const recording = this.record(refused)
      .catch((error: unknown) => this.log.warn({ err: error }, 'a refused sign-in was not recorded'))
      .finally(() => this.underWay.delete(recording));
    this.underWay.add(recording);
  }

  /** Resolves once everything that was noted is recorded. */
  async recorded(): Promise<void> {
    await Promise.all(this.underWay);
  }

  onModuleDestroy(): Promise<void> {
    return this.recorded();
  }

  private async record({ realm, userId, merchantId, email, reason, client, requestId }: RefusedSignIn): Promise<void> {
    const nowMs = this.clock.now();
    const cause = { merchantId, ip: client.ip, requestId, nowMs, actor: SIGN_IN_ACTORS[realm] };
    const context = sessionContext({ ...cause, commandId: `${requestId}/refused` });
    const id = refusalsId(userId, isoTime(nowMs));
    await this.writePath.execute(signInRefusals, id, { type: 'refuse', reason }, context);
    const refusals = await this.count(userId, nowMs);
    if (refusals !== null) await this.notice.tell({ realm, userId, merchantId, email, refusals, at: isoTime(nowMs) });
  }

  /** The refusals of this hour, where the user is to be told of them now; null otherwise. */
  private async count(userId: string, nowMs: number): Promise<number | null> {
    for await (const { standing, write } of guardedTries(this.times, userId, GUARDED_TRIES)) {
      const { refused_at, told_at } = standing ?? NONE;
      // A time ahead was written by a clock that has been set back since.
      const isRecent = (time: string) => Math.abs(nowMs - parseIsoTime(time)) < HOUR_MS;
      const refusedAt = [...refused_at.filter(isRecent), isoTime(nowMs)].slice(-TOLD_REFUSALS);
      const isTold = refusedAt.length >= TOLD_REFUSALS && (told_at === null || !isRecent(told_at));
      const body = { refused_at: refusedAt, told_at: isTold ? isoTime(nowMs) : told_at };
      if (await write(body)) return isTold ? refusedAt.length : null;
    }
    return null;
  }
}
