import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { RealmName } from '../../vocabulary/realms';
import type { SessionEnding, SessionEvent, SessionStarted } from './session.events';

type Session = { readonly status: 'none' | 'started' | 'ended' };

type SessionCommand =
  | { readonly type: 'start'; readonly start: SessionStarted['data'] }
  | { readonly type: 'step_up'; readonly action: string }
  | { readonly type: 'end'; readonly how: SessionEnding };

/** Every check stands in the session's document. The stream is the record for the audit log. */
function decide(command: SessionCommand, state: Session): readonly SessionEvent[] {
  switch (command.type) {
    case 'start':
      if (state.status === 'ended') throw refuse('session_revoked');
      return state.status === 'none' ? [{ type: 'SessionStarted', data: command.start }] : [];
    case 'step_up':
      if (state.status !== 'started') throw refuse('session_revoked');
      return [{ type: 'SteppedUp', data: { action: command.action } }];
    case 'end':
      // A session that has not come to its first full or enrolling stage has nothing to record.
      return state.status === 'started' ? [{ type: 'SessionEnded', data: { how: command.how } }] : [];
    default:
      return unreachable(command);
  }
}

function evolve(state: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'SessionStarted':
      return { status: 'started' };
    case 'SteppedUp':
      return state;
    case 'SessionEnded':
      return { status: 'ended' };
    default:
      return unreachable(event);
  }
}

type SessionStreams = Aggregate<Session, SessionCommand, SessionEvent>;

export const sessions: SessionStreams = {
  category: 'session',
  notFound: 'unknown_session',
  initial: { status: 'none' },
  decide,
  evolve,
};

/** Sessions of the operator's people. */
export const adminSessions: SessionStreams = { ...sessions, category: 'admin_session' };

export const SESSION_STREAMS: Readonly<Record<RealmName, SessionStreams>> = {
  merchant: sessions,
  admin: adminSessions,
};
