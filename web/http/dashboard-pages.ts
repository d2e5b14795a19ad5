import { createHash } from 'node:crypto';
import { h, type ComponentChild } from 'preact';
import type { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '../../src/kernel/clock';
import type { MerchantContext, PlatformContext } from '../../src/kernel/command-context';
import { randomUuid, type Entropy } from '../../src/kernel/entropy';
import { FollowStepUp, StepUp } from '../../src/modules/sessions/commands/session.command';
import { clientOf } from '../../src/platform/http/client-ip';
import type { ApiRequest } from '../../src/platform/http/caller';
import type { FormBody } from '../../src/platform/http/form-body';
import { asksForStream } from '../../src/platform/http/rate-limit';
import { isRefusal, type ErrorCode, type Refusal } from '../../src/vocabulary/errors';
import type { Mode } from '../../src/vocabulary/modes';
import {
  DashboardContext,
  type DashboardFacts,
  type FormFault,
  type Modes,
  type NavEntry,
} from '../parts/dashboard-context';
import { pathInMode } from '../parts/dashboard-path';
import { ShownOncePage } from '../dashboard/shown-once.page';
import { peopleFault } from '../words/people-faults';
import type { FormCommand, FormWork } from './form-work';
import type { FormTokens } from '../../src/platform/http/form-tokens';
import type { LivePages } from './live-pages';
import { freshFormId, openStream, pageVersion, seeOther, statusOf, tellRetry } from './page-answers';
import type { PagePaths } from './page-paths';
import type { PageSender } from './page-sender';
import { USER_COOKIE } from '../../src/platform/http/session-cookie';
import { strangerContext } from './stranger-context';
import { visitIn, visitOf, type Asked } from './visits';

const VERSION_LENGTH = 16;
/** Fields that no page shows again. */
const SECRET_FIELDS: readonly string[] = ['password', 'present', 'wanted', 'code', 'recovery_code', 'token'];

const CODE_FAULTS: readonly ErrorCode[] = ['mfa_required', 'mfa_proof_invalid'];

/** The facts for a form's commands: its own id, and the contexts of the person who sent it. */
export type FormContexts = {
  readonly command: FormCommand;
  /** For commands in the page's mode. */
  readonly context: MerchantContext;
};

type DashboardForm = {
  readonly form: FormBody;
  /** Sends the form's page again, where the form was refused: fields and summary tell the reason by themselves. */
  readonly page: () => Promise<void>;
};
/** Does what a form asks for. Answers the path that the form leads to, below the mode's home. */
type Leading = DashboardForm & { readonly effect: (contexts: FormContexts) => Promise<string> };
/** Does what a form asks for, and answers the page of its secret. */
type Revealing = DashboardForm & { readonly effect: (contexts: FormContexts) => Promise<ComponentChild> };

type DashboardPagesParts = {
  readonly pages: PageSender;
  readonly forms: FormWork;
  readonly live: LivePages;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly commands: CommandBus;
  readonly tokens: FormTokens;
  readonly paths: PagePaths;
  readonly modes: Modes;
  readonly nav: readonly NavEntry[];
};

/** The part that all pages of the dashboard share: their forms, their sessions, and how open pages hear of changes. */
export class DashboardPages {
  private readonly faults = new WeakMap<object, FormFault>();

  constructor(private readonly parts: DashboardPagesParts) {}

  /** The modes that the service serves. */
  get modes(): Modes {
    return this.parts.modes;
  }

  /** The address of a page by its path from the host on, such as `/dashboard/code`. */
  urlOf(path: `/dashboard${string}`): string {
    return this.parts.pages.root + path;
  }

  /** Leads to a page: `payments` in the person's mode, or a path from the host on. */
  leadTo(asked: Asked, path: string): void {
    const { pages, modes } = this.parts;
    const mode = visitIn(asked.request)?.person.mode ?? modes[0];
    seeOther(asked, path.startsWith('/') ? pages.root + path : pathInMode(pages.root, mode, path));
  }

  /** Leads from the address of a form to the form's page. */
  leadBack(asked: Asked): void {
    const { routeOptions } = asked.request;
    this.leadTo(asked, this.parts.paths.pageOf(routeOptions.url ?? '', pathIn(asked.request)));
  }

  /** Sends a page that does not change by itself. */
  async send(asked: Asked, page: ComponentChild): Promise<void> {
    await this.sendWith(asked, page, { version: this.versionOf(null), events: null });
  }

  /** Sends a page that changes by itself with its view, or tells the open page of the changes. */
  async show<View>(asked: Asked, view: () => Promise<View>, pageOf: (view: View) => ComponentChild): Promise<void> {
    if (asksForStream(asked.request)) return this.listen(asked, view);
    const shown = await view();
    await this.sendWith(asked, pageOf(shown), { version: this.versionOf(shown), events: this.ownUrl(asked.request) });
  }

  /**
   * Works a form off once, however often it is sent, and leads on. A risky form first takes its one-time code, and the
   * session gets a new secret.
   */
  async work(asked: Asked, { form, page, effect }: Leading): Promise<void> {
    await this.orAgain(asked, form, page, async () => {
      const path = await this.once(asked, form, effect);
      this.leadTo(asked, path);
    });
  }

  /**
   * Works a form off once, and answers its secret directly: neither its bytes nor their compressed length are kept. The
   * same form sent again is told so, without the secret.
   */
  async reveal(asked: Asked, { form, page, effect }: Revealing): Promise<void> {
    await this.orAgain(asked, form, page, async () => {
      let made: ComponentChild = h(ShownOncePage, {});
      await this.once(asked, form, async contexts => {
        made = await effect(contexts);
        return '';
      });
      await this.sendWith(asked, made, { version: null, events: null }, true);
    });
  }

  /** Sends a page that holds a secret: neither its bytes nor their compressed length are kept. */
  async sendSecret(asked: Asked, page: ComponentChild): Promise<void> {
    await this.sendWith(asked, page, { version: null, events: null }, true);
  }

  /** Does what a form asks for, each time that the form is sent. A refusal shows the form's page again. */
  async orAgain(asked: Asked, form: FormBody, page: () => Promise<void>, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.faults.set(asked.request, faultOf(error, this.parts.pages.root + pathIn(asked.request), form));
      tellRetry(asked, error);
      await page();
    }
  }

  /** A command of its own, for a form whose repetition does no harm. */
  freshCommand(): FormCommand {
    const { clock, entropy } = this.parts;
    return { commandId: randomUuid(entropy), startedAt: clock.now(), isFirstTry: true };
  }

  /** The facts for a command of somebody who is not signed in. */
  strangerContext(request: ApiRequest): PlatformContext<'platform'> {
    return strangerContext(request, this.freshCommand());
  }

  /** Gives the browser the session's newest secret. */
  keepSession({ request, reply }: Asked, secret: string): void {
    const visit = visitIn(request);
    if (visit) visit.secret = secret;
    void reply.header('set-cookie', USER_COOKIE.of(secret));
  }

  /** Takes a fresh one-time code for a risky action, and gives the browser the session's new secret. */
  async stepUp(asked: Asked, form: FormBody, action: string, commandId: string): Promise<void> {
    const { request } = asked;
    const { secret } = visitOf(request);
    const { code = '', form_id: formId = null } = form;
    const command = new StepUp(secret, code, action, commandId, clientOf(request), request.id, formId);
    const given = await this.parts.commands.execute(command);
    this.keepSession(asked, given.secret);
  }

  forgetSession({ reply }: Asked): void {
    void reply.header('set-cookie', USER_COOKIE.gone);
  }

  private async once(asked: Asked, form: FormBody, effect: (contexts: FormContexts) => Promise<string>) {
    const { request } = asked;
    const { person, rule } = visitOf(request);
    const { code: _, ...fields } = form;
    const asking = {
      mode: person.mode,
      merchantId: person.merchantId,
      action: `${person.sessionId} ${request.raw.url}`,
      form: fields,
      nowMs: person.nowMs,
    };
    const { highRisk } = rule;
    let isFollowing = highRisk !== null;
    try {
      return await this.parts.forms.once(asking, async command => {
        if (highRisk !== null) {
          await this.followStepUp(asked, form);
          await this.stepUp(asked, form, highRisk, command.commandId);
        }
        isFollowing = false;
        return effect({ command, context: person.contextOf(command) });
      });
    } finally {
      if (isFollowing) await this.followStepUp(asked, form);
    }
  }

  /** Gives the browser the new secret that the same form, sent before, has made: that answer may have been lost. */
  private async followStepUp(asked: Asked, { form_id: formId = '' }: FormBody): Promise<void> {
    const { request } = asked;
    const command = new FollowStepUp(visitOf(request).secret, formId, clientOf(request));
    const secret = await this.parts.commands.execute(command);
    if (secret !== null) this.keepSession(asked, secret);
  }

  private async sendWith(
    asked: Asked,
    page: ComponentChild,
    live: Pick<DashboardFacts, 'version' | 'events'>,
    holdsSecret: boolean = false,
  ): Promise<void> {
    const { pages } = this.parts;
    const { request, reply } = asked;
    const facts = { ...(await this.factsOf(request)), ...live };
    const status = statusOf(asked, facts.fault?.code ?? null);
    const within = h(DashboardContext.Provider, { value: facts, children: page });
    await pages.send(request, reply, pages.factsFor(request, this.ownUrl(request)), within, status, holdsSecret);
  }

  private async factsOf(request: ApiRequest): Promise<Omit<DashboardFacts, 'version' | 'events'>> {
    const { modes, nav, tokens, entropy } = this.parts;
    const { mode = null } = request.params as { readonly mode?: Mode };
    const visit = visitIn(request);
    return {
      reader: visit?.person ?? null,
      mode,
      modes,
      nav,
      csrf: visit === null ? '' : await tokens.show(visit.person.sessionId),
      formId: freshFormId(entropy),
      fault: this.faults.get(request) ?? null,
    };
  }

  private listen<View>(asked: Asked, view: () => Promise<View>): void {
    const { person, isAllowed } = visitOf(asked.request);
    const page = `${person.sessionId} ${asked.request.raw.url}`;
    openStream(this.parts.live, asked, page, async () => ((await isAllowed()) ? this.versionOf(await view()) : null));
  }

  private versionOf(view: unknown): string {
    const text = JSON.stringify(view, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    const shown = createHash('sha256').update(text).digest('hex').slice(0, VERSION_LENGTH);
    return pageVersion(shown, this.parts.pages.buildId);
  }

  /** The address under which a browser loads the page; below it, the page's forms have theirs. */
  private ownUrl(request: ApiRequest): string {
    const { pages, paths } = this.parts;
    const { raw, method, routeOptions } = request;
    return pages.root + (method === 'POST' ? paths.pageOf(routeOptions.url ?? '', pathIn(request)) : (raw.url ?? ''));
  }
}

/** A refused code names no field, since the API takes codes in a header. */
function codeFieldOf(form: FormBody): string {
  return 'recovery_code' in form ? 'recovery_code' : 'code';
}

function pathIn({ raw }: ApiRequest): string {
  return (raw.url ?? '').split('?', 1)[0] ?? '';
}

function faultOf(refusal: Refusal, action: string, form: FormBody): FormFault {
  const typed = Object.entries(form).filter(([name]) => !SECRET_FIELDS.includes(name));
  const { code } = refusal;
  const param = refusal.param ?? (CODE_FAULTS.includes(code) ? codeFieldOf(form) : null);
  return {
    ...{ action, code, param },
    text: peopleFault(refusal),
    typed: Object.fromEntries(typed),
  };
}
