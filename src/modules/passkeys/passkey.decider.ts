import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { PasskeyEvent, PasskeyRegistered } from './passkey.events';

/** Further regresses of one passkey are refused alike and not recorded. */
const MAX_REGRESSES = 20;

type Passkey =
  | { readonly status: 'none' | 'withdrawn' }
  | { readonly status: 'registered'; readonly facts: PasskeyRegistered['data']; readonly regresses: number };

type PasskeyCommand =
  /** `isOrphan`: the owner's stream does not know the passkey, since a registration broke off. */
  | { readonly type: 'register'; readonly facts: PasskeyRegistered['data']; readonly isOrphan: boolean }
  | { readonly type: 'withdraw'; readonly userId: string }
  | { readonly type: 'note_regress'; readonly seen: number; readonly shown: number };

function decide(command: PasskeyCommand, state: Passkey): readonly PasskeyEvent[] {
  switch (command.type) {
    case 'register':
      // The answer is the same whoever the owner is.
      if (state.status === 'registered' && !command.isOrphan) throw refuse('passkey_already_registered');
      return [{ type: 'PasskeyRegistered', data: command.facts }];
    case 'withdraw': {
      const { userId: user_id } = command;
      if (state.status !== 'registered' || state.facts.user_id !== user_id) return [];
      return [{ type: 'PasskeyWithdrawn', data: { user_id } }];
    }
    case 'note_regress': {
      if (state.status !== 'registered' || state.regresses >= MAX_REGRESSES) return [];
      return [{ type: 'PasskeyCounterRegressed', data: { seen: command.seen, shown: command.shown } }];
    }
    default:
      return unreachable(command);
  }
}

function evolve(state: Passkey, event: PasskeyEvent): Passkey {
  switch (event.type) {
    case 'PasskeyRegistered':
      return { status: 'registered', facts: event.data, regresses: 0 };
    case 'PasskeyWithdrawn':
      return { status: 'withdrawn' };
    case 'PasskeyCounterRegressed':
      return state.status === 'registered' ? { ...state, regresses: state.regresses + 1 } : state;
    default:
      return unreachable(event);
  }
}

/** A credential, which has one owner at a time. The stream's id is the SHA-256 of the credential's id. */
export const passkeys: Aggregate<Passkey, PasskeyCommand, PasskeyEvent> = {
  category: 'passkey',
  // A credential can change its owner, and no request names the stream by a merchant.
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
