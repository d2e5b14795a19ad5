import type { CollectionSpec } from '../../kernel/ports/documents';
import type { RealmName } from '../../vocabulary/realms';
import type { SessionEnding } from './session.events';
import type { SessionStage, SignInMethod } from './signed-in';

/**
 * One secret of a session. A session that goes on under a new secret has a new document with the same `session_id`, and
 * the old one ends as `replaced`. The user's seats say whether a session still is the user's.
 */
export type SessionDocument = {
  readonly session_id: string;
  readonly user_id: string;
  /** Null for the operator's people. */
  readonly merchant_id: string | null;
  readonly stage: SessionStage;
  readonly method: SignInMethod;
  readonly ip: string | null;
  readonly user_agent: string;
  /** The start of the stage, which a new secret leaves as it is. */
  readonly created: string;
  readonly last_used_at: string;
  /** The end that no activity moves. */
  readonly expires_at: string;
  /** The number of times that all of the user's sessions had been ended when the password was checked. */
  readonly epoch: number;
  readonly ended: { readonly how: SessionEnding | 'replaced'; readonly at: string } | null;
};

const INDEXES: CollectionSpec['indexes'] = { by_session: ['session_id', 'id'], by_end: ['expires_at', 'id'] };

/** A secret of one realm is looked for in that realm's documents alone. */
export const SESSIONS: Readonly<Record<RealmName, CollectionSpec>> = {
  merchant: { name: 'sessions', indexes: INDEXES },
  admin: { name: 'admin_sessions', indexes: INDEXES },
};
