import type { Document } from '../../kernel/ports/documents';
import type { ReadModel } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import { TOKEN_IDS, TOKENS, type Token, type TokenId } from '../../vocabulary/tokens';
import { killSwitchId, type KillSwitchGround, type KillSwitchScope } from './kill-switch.events';

/** All stops of one subject, in both modes; none where all were lifted. */
export type KillSwitchDocument = {
  readonly scope: KillSwitchScope;
  readonly subject: string;
  readonly is_set: boolean;
  readonly stops: readonly {
    readonly mode: Mode;
    readonly ground: KillSwitchGround;
    readonly reason: string;
    readonly set_at: string;
  }[];
};

export const killSwitchesReadModel: ReadModel<KillSwitchDocument> = {
  name: 'kill_switches',
  version: 1,
  indexes: { by_set: ['is_set', 'id'] },
};

/** The document of a subject's switch, for a reading of what can be withdrawn. */
export function killSwitchAsked(scope: KillSwitchScope, subject: string) {
  return { readModel: killSwitchesReadModel, universe: 'platform', id: killSwitchId({ scope, subject }) } as const;
}

type Standing = Pick<KillSwitchDocument, 'stops'> | null | undefined;

/** The grounds on which the switch stops the mode. A subject without a document has never been stopped. */
export function groundsOf(killSwitch: Standing, mode: Mode): readonly KillSwitchGround[] {
  return killSwitch?.stops.filter(stop => stop.mode === mode).map(({ ground }) => ground) ?? [];
}

/** Whether the switch stops the mode, on whatever ground. */
export function stops(killSwitch: Standing, mode: Mode): boolean {
  return groundsOf(killSwitch, mode).length > 0;
}

/** The switches that stop a token, whoever the merchant is. */
function switchesOf({ network, asset }: Token) {
  return [killSwitchAsked('network', network), killSwitchAsked('asset', asset)];
}

/** The documents of the switches of all tokens, each once. */
export const TOKEN_SWITCHES_ASKED = [
  ...new Map(TOKEN_IDS.flatMap(id => switchesOf(TOKENS[id])).map(asked => [asked.id, asked])).values(),
];

/** The tokens whose network or asset one of the switches stops in the mode. */
export function stoppedTokens(
  switches: readonly (Document<KillSwitchDocument> | null)[],
  mode: Mode,
): readonly TokenId[] {
  const stopped = new Set(switches.flatMap(each => (each && stops(each.body, mode) ? each.id : [])));
  return TOKEN_IDS.filter(id => switchesOf(TOKENS[id]).some(asked => stopped.has(asked.id)));
}
