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

/** The documents by which an action finds its object. */
export type ActionReads = {
  readonly readModels: Pick<ReadModels, 'get' | 'list' | 'stored'>;
  readonly clock: Pick<MerchantClocks, 'merchantNow'>;
};

/** In words: the effect of the action, whom it concerns, and what nobody can take back. */
export type ActionWords = {
  readonly does: string;
  readonly to: string;
  readonly cannotUndo: string;
  /** The name of the action's object, where that is an administrator. */
  readonly administrator?: string;
};

/** The object of an action, and its body by the rules of its class. */
export type Aimed<Body> = { readonly target: string; readonly body: Body };

/** The merchant and the mode that an object belongs to. */
export type Owned = { readonly mode: Mode; readonly merchantId: string };

type Unseen<Body> = Aimed<Body> & { readonly execution: Execution };
/** An execution with what was found about the object. */
export type Carried<Body, Facts> = Unseen<Body> & { readonly facts: Facts };

type Made = Command<string> | Command<unknown> | Promise<Command<unknown>>;

/** The command may answer the id of an object that it has made. */
type Commanding<Body, Facts> =
  | {
      /** `facts` are as they were last written, for what never changes: the command decides on the stream. */
      readonly command: (carried: Carried<Body, Facts>, reads: ActionReads) => Made;
      readonly directCommand?: never;
    }
  | {
      /** For a command that makes its object, or finds the object itself. Nothing is looked up before. */
      readonly directCommand: (unseen: Unseen<Body>) => Made;
      readonly command?: never;
    };

type ActionParts<Body extends object, Facts> = Commanding<Body, Facts> & {
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
   * carried out once more: the command itself knows its own work.
   */
  readonly look: (reads: ActionReads, aimed: Aimed<Body>) => Promise<Facts>;
  /** Throws Refusal where the action cannot be carried out as things stand, so that nobody proposes it in vain. */
  readonly refuseUnfit?: (facts: Facts, body: Body) => void;
  readonly difference: (facts: Facts, body: Body) => readonly DifferenceRow[];
  readonly words: (facts: Facts, aimed: Aimed<Body>) => ActionWords;
};

/** A body by its rules, and the action on its target. */
type PlannedAction = {
  readonly target: string;
  /** Throws the refusals of an unknown object, and of one that the action does not fit. */
  preview: () => Promise<ActionWords & { readonly difference: readonly DifferenceRow[] }>;
  command: (execution: Execution) => Promise<Command<unknown>>;
};

/** An administrator's action, whatever its body and its object. */
export type AdminAction = Pick<ActionParts<object, never>, 'permission' | 'path' | 'summary' | 'body' | 'refuses'> & {
  readonly isTarget: (target: string) => boolean;
  /** `id`: the path's; null where the path has none. Throws the refusals of the body's rules. */
  readonly plan: (reads: ActionReads, id: string | null, body: JsonObject) => PlannedAction;
};

/** The body of an action of four eyes. */
export abstract class ApprovedBody {
  @ApprovalId()
  approval_id?: string;
}

export function adminAction<Body extends object, Facts>(parts: ActionParts<Body, Facts>): AdminAction {
  const { permission, path, summary, body: type, refuses } = parts;
  const plan = (reads: ActionReads, id: string | null, given: JsonObject): PlannedAction => {
    const body = validateDto(type, given);
    parts.check?.(body);
    const target = parts.targetOf?.(body) ?? id ?? '';
    const aimed = { target, body };
    return {
      target,
      preview: async () => {
        const facts = await parts.look(reads, aimed);
        parts.refuseUnfit?.(facts, body);
        return { ...parts.words(facts, aimed), difference: parts.difference(facts, body) };
      },
      command: async execution => {
        if (parts.directCommand) return parts.directCommand({ ...aimed, execution });
        const facts = await parts.look(asLastWritten(reads), aimed);
        return parts.command({ ...aimed, facts, execution }, reads);
      },
    };
  };
  const isTarget = parts.isTarget ?? (() => true);
  return { permission, path, summary, body: type, refuses, isTarget, plan };
}

/** The reads of a look before a command, which leave the object's stream to the command. */
function asLastWritten({ readModels, clock }: ActionReads): ActionReads {
  const stored: ActionReads['readModels']['stored'] = (...asked) => readModels.stored(...asked);
  return {
    clock,
    readModels: {
      stored,
      get: (readModel, universes, id) => stored(readModel, [universes].flat(), id),
      list: (...asked) => readModels.list(...asked),
    },
  };
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
