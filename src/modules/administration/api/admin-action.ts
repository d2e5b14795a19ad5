import type { Command } from '@nestjs/cqrs';
import { adminActor, type AccountContext, type PlatformContext } from '../../../kernel/command-context';
import type { DecisionContext } from '../../../kernel/decider';
import type { Actor } from '../../../kernel/event';
import type { MerchantClocks } from '../../../kernel/merchant-clocks';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { validateDto, type BodyClass } from '../../../platform/http/dto-validation';
import { ApprovalId } from '../../../platform/http/fields/admin-fields';
import type { AdminPermission } from '../../../vocabulary/admin-roles';
import type { ErrorCode } from '../../../vocabulary/errors';
import type { JsonObject } from '../../../vocabulary/json';
import type { Mode } from '../../../vocabulary/modes';
import type { Execution } from '../../approvals/approval-gate';
import type { DifferenceRow } from '../../approvals/approval.events';
import { findNewest, type FindDocument } from './find-document';

export type ActionMeans = {
  readonly readModels: Pick<ReadModels, 'stored' | 'freshen' | 'list'>;
  readonly clock: Pick<MerchantClocks, 'merchantNow'>;
};

/** The documents by which an action finds its object. */
export type ActionReads = ActionMeans & { readonly find: FindDocument };

/** In words: the effect of the action, whom it concerns, and what nobody can take back. */
export type ActionWords = { readonly does: string; readonly to: string; readonly cannotUndo: string };

/** The object of an action, and its body by the rules of its class. */
export type Aimed<Body> = { readonly target: string; readonly body: Body };

/** The merchant and the mode that an object belongs to. */
export type Owned = { readonly mode: Mode; readonly merchantId: string };

type Carried<Body> = Aimed<Body> & { readonly execution: Execution };

type Outline<Body extends object, Facts> = {
  readonly permission: AdminPermission;
  /** Below `/admin`, with `:id` for the target where the body does not name it. */
  readonly path: string;
  readonly summary: string;
  readonly body: BodyClass<Body>;
  /** Codes beyond those of the session, the permission, the approval and the body's rules. */
  readonly refuses: readonly ErrorCode[];
  /** The target of an action whose path names none. */
  readonly targetOf?: (body: Body) => string;
  /** Tells apart the actions of one permission, of which a proposal names the target; by default any target. */
  readonly isTarget?: (target: string) => boolean;
  /** Rules of several fields. Throws their refusals. */
  readonly check?: (body: Body) => void;
  /**
   * Finds the object, and throws the refusal of an unknown one alone. An action whose process died after its command is
   * carried out once more: the command itself knows its own work. Before a command, documents are found as they were
   * last written, since the command reads the object's stream.
   */
  readonly look: (reads: ActionReads, aimed: Aimed<Body>) => Promise<Facts>;
  /** Throws Refusal where the action cannot be carried out as things stand, so that nobody proposes it in vain. */
  readonly refuseUnfit?: (facts: Facts, body: Body) => void;
  readonly difference: (facts: Facts, body: Body) => readonly DifferenceRow[];
  readonly words: (facts: Facts, aimed: Aimed<Body>) => ActionWords;
};

/** May answer the id of an object that it has made. */
type ActionCommand = Command<string> | Command<unknown>;

/** A body by its rules, and the action on its target. */
type PlannedAction = {
  readonly target: string;
  /** Throws the refusals of an unknown object, and of one that the action does not fit. */
  preview: () => Promise<ActionWords & { readonly difference: readonly DifferenceRow[] }>;
  command: (execution: Execution) => Promise<Command<unknown>>;
};

/** An administrator's action, whatever its body and its object. */
export type AdminAction = Pick<Outline<object, never>, 'permission' | 'path' | 'summary' | 'body' | 'refuses'> & {
  readonly isTarget: (target: string) => boolean;
  /** `id`: the path's; null where the path has none. Throws the refusals of the body's rules. */
  readonly plan: (means: ActionMeans, id: string | null, body: JsonObject) => PlannedAction;
};

/** The body of an action of four eyes. */
export abstract class ApprovedBody {
  @ApprovalId()
  approval_id?: string;
}

export function adminAction<Body extends object, Facts>(
  parts: Outline<Body, Facts> & {
    readonly command: (
      carried: Carried<Body> & { readonly facts: Facts },
      reads: ActionReads,
    ) => ActionCommand | Promise<ActionCommand>;
  },
): AdminAction {
  return outlined(parts, async (carried, means) => {
    const { readModels } = means;
    const facts = await parts.look({ ...means, find: (...asked) => readModels.stored(...asked) }, carried);
    return parts.command({ ...carried, facts }, readsOf(means));
  });
}

/** An action on a thing that is always there, such as a setting: a preview alone looks at it. */
export function settingAction<Body extends object, Facts>(
  parts: Outline<Body, Facts> & { readonly command: (carried: Carried<Body>) => ActionCommand },
): AdminAction {
  return outlined(parts, carried => Promise.resolve(parts.command(carried)));
}

function outlined<Body extends object, Facts>(
  parts: Outline<Body, Facts>,
  command: (carried: Carried<Body>, means: ActionMeans) => Promise<ActionCommand>,
): AdminAction {
  const { permission, path, summary, body: type, refuses } = parts;
  const plan = (means: ActionMeans, id: string | null, given: JsonObject): PlannedAction => {
    const body = validateDto(type, given);
    parts.check?.(body);
    const target = parts.targetOf?.(body) ?? id ?? '';
    const aimed = { target, body };
    return {
      target,
      preview: async () => {
        const facts = await parts.look(readsOf(means), aimed);
        parts.refuseUnfit?.(facts, body);
        return { ...parts.words(facts, aimed), difference: parts.difference(facts, body) };
      },
      command: async execution => command({ ...aimed, execution }, means),
    };
  };
  const isTarget = parts.isTarget ?? (() => true);
  return { permission, path, summary, body: type, refuses, isTarget, plan };
}

function readsOf(means: ActionMeans): ActionReads {
  return { ...means, find: findNewest(means.readModels) };
}

/** A payment's edges know an administrator by one of two roles. */
type AdminEdge = 'admin' | 'compliance';

/** The execution's context in a mode, at the moment of the merchant's clock. */
export async function inMode(
  { clock }: ActionReads,
  { context }: Execution,
  { mode, merchantId }: { readonly mode: Mode; readonly merchantId: string | null },
  role: AdminEdge = 'admin',
): Promise<PlatformContext<Mode>> {
  const now = await clock.merchantNow(mode, merchantId);
  return { ...context, universe: mode, now, actor: { ...context.actor, role } satisfies Actor };
}

/**
 * The context in which a preview tries a decision on a payment, before an administrator carries it out. The decisions
 * depend on the administrator's role alone, and on no time.
 */
export function inTrial(role: AdminEdge = 'admin'): DecisionContext {
  return { actor: { ...adminActor('trial'), role }, now: 0 };
}

/** The execution's context for a merchant, above the modes. */
export function forMerchant({ context }: Execution, merchantId: string): AccountContext {
  return { ...context, merchantId };
}

/** One row of a difference. */
export function row(field: string, before: string | null, after: string | null): DifferenceRow {
  return { field, before, after };
}
