import { createHash } from 'node:crypto';
import { h, type ComponentChild } from 'preact';
import type { CommandBus } from '@nestjs/cqrs';
import { SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { PlatformContext } from '../../src/kernel/command-context';
import { randomUuid, type Entropy } from '../../src/kernel/entropy';
import { FollowStepUp, StepUp } from '../../src/modules/sessions/commands/session.command';
import { clientOf } from '../../src/platform/http/client-ip';
import type { ApiRequest } from '../../src/platform/http/caller';
import type { FormBody } from '../../src/platform/http/form-body';
import { asksForStream } from '../../src/platform/http/rate-limit';
import { isRefusal } from '../../src/vocabulary/errors';
import type { Universe } from '../../src/vocabulary/modes';
import type { PageRealm, PlacePath } from '../parts/page-realm';
import { SignedContext, type FormFault, type SignedFacts } from '../parts/signed-context';
import { formFault } from './form-fault';
import type { FormCommand, FormWork } from './form-work';
import type { FormTokens } from '../../src/platform/http/form-tokens';
import type { LivePages } from './live-pages';
import { freshFormId, openStream, pageVersion, seeOther, statusOf, tellRetry } from './page-answers';
import type { PagePaths } from './page-paths';
import type { PageSender } from './page-sender';
import { COOKIES } from '../../src/platform/http/session-cookie';
import type { SignedInPerson } from './person';
import { strangerContext } from './stranger-context';
import { visitIn, visitOf, type Asked } from './visits';

const VERSION_LENGTH = 16;
/** Figures that differ at each moment are taken anew so often by an open page. */
const FIGURES_SPAN_MS = 10 * SECOND_MS;

/** The facts for a form's commands: its own id, and the contexts of the person who sent it. */
export type FormContexts<Context> = {
  readonly command: FormCommand;
  /** For commands in the place of the page. */
  readonly context: Context;
};

type PageForm = {
  readonly form: FormBody;
  /** Sends the form's page again, where the form was refused: fields and summary tell the reason by themselves. */
  readonly page: () => Promise<void>;
};
/** Does what a form asks for. Answers the path that the form leads to, below the reader's home. */
type Leading<Context> = PageForm & { readonly effect: (contexts: FormContexts<Context>) => Promise<string> };
/** Does what a form asks for, and answers the page of its secret. */
type Revealing<Context> = PageForm & { readonly effect: (contexts: FormContexts<Context>) => Promise<ComponentChild> };

export type SignedPagesParts = {
  readonly pages: PageSender;
  readonly forms: FormWork;
  readonly live: LivePages;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly commands: CommandBus;
  readonly tokens: FormTokens;
  readonly paths: PagePaths;
};

/** The part that all pages of a realm share: their forms, their sessions, and how open pages hear of changes. */
export abstract class SignedPages<Person extends SignedInPerson = SignedInPerson, Context = unknown> {
  private readonly faults = new WeakMap<object, FormFault>();

  protected constructor(
    readonly realm: PageRealm,
    private readonly signed: SignedPagesParts,
  ) {}

  /** The path of the reader's first page. */
  protected abstract homeOf(request: ApiRequest): string;
  /** The page within the facts that the realm's own parts ask for. */
  protected abstract within(request: ApiRequest, page: ComponentChild): ComponentChild | Promise<ComponentChild>;
  /** The account whose forms are told apart. */
  protected abstract ownerOf(person: Person): { readonly mode: Universe; readonly merchantId: string };
  protected abstract contextOf(person: Person, command: FormCommand): Context;
  /** The page in the place of a secret that an earlier answer showed. */
  protected abstract shownOnce(): ComponentChild;

  /** The path below which the service is reached; empty where that is the host itself. */
  protected get root(): string {
    return this.signed.pages.root;
  }

  /** The address of a page by its path from the host on, such as `/dashboard/code`. */
  urlOf(path: PlacePath): string {
    return this.root + path;
  }

  /** The address of a page: `payments` below the reader's home, or a path from the host on. */
  addressOf({ request }: Asked, path: string): string {
    if (path.startsWith('/')) return this.root + path;
    return `${this.root}${this.homeOf(request)}${path === '' ? '' : `/${path}`}`;
  }

  leadTo(asked: Asked, path: string): void {
    seeOther(asked, this.addressOf(asked, path));
  }

  /** Leads from the address of a form to the form's page. */
  leadBack(asked: Asked): void {
    const { routeOptions } = asked.request;
    this.leadTo(asked, this.signed.paths.pageOf(routeOptions.url ?? '', pathIn(asked.request)));
  }

  /** Sends a page that does not change by itself. */
  async send(asked: Asked, page: ComponentChild): Promise<void> {
    await this.sendWith(asked, page, { version: this.versionOf(null), events: null });
  }

  /**
   * Sends a page that changes by itself with its view, or tells the open page of the changes. A view takes the person's
   * facts from its argument: an open page looks again with the facts of that moment.
   */
  async show<View>(
    asked: Asked,
    view: (person: Person) => Promise<View>,
    pageOf: (view: View) => ComponentChild,
  ): Promise<void> {
    if (asksForStream(asked.request)) return this.listen(asked, view);
    const shown = await view(visitOf<Person>(asked.request).person);
    await this.sendWith(asked, pageOf(shown), { version: this.versionOf(shown), events: this.ownUrl(asked.request) });
  }

  /** Sends a page of figures that differ at each moment. Its version is the span of time, which is told for nothing. */
  async showFigures(asked: Asked, page: () => Promise<ComponentChild>): Promise<void> {
    const span = () => Promise.resolve(Math.floor(this.signed.clock.now() / FIGURES_SPAN_MS));
    if (asksForStream(asked.request)) return this.listen(asked, span);
    const live = { version: this.versionOf(await span()), events: this.ownUrl(asked.request) };
    await this.sendWith(asked, await page(), live);
  }

  /**
   * Works a form off once, however often it is sent, and leads on. A risky form first takes its one-time code, and the
   * session gets a new secret.
   */
  async work(asked: Asked, { form, page, effect }: Leading<Context>): Promise<void> {
    await this.orAgain(asked, form, page, async () => {
      const path = await this.once(asked, form, effect);
      this.leadTo(asked, path);
    });
  }

  /** Works a form off once, and answers its secret directly: neither its bytes nor their compressed length are kept. */
  async reveal(asked: Asked, { form, page, effect }: Revealing<Context>): Promise<void> {
    await this.orAgain(asked, form, page, async () => {
      let made: ComponentChild = this.shownOnce();
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
      this.faults.set(asked.request, formFault(error, this.root + pathIn(asked.request), form));
      tellRetry(asked, error);
      await page();
    }
  }

  /** A command of its own, for a form whose repetition does no harm. */
  freshCommand(): FormCommand {
    const { clock, entropy } = this.signed;
    return { commandId: randomUuid(entropy), startedAt: clock.now(), isFirstTry: true };
  }

  /** The facts for a command of somebody who is not signed in. */
  strangerContext(request: ApiRequest): PlatformContext<'platform'> {
    return strangerContext(request, this.freshCommand(), this.realm.name);
  }

  /** Gives the browser the session's newest secret. */
  keepSession({ request, reply }: Asked, secret: string): void {
    const visit = visitIn(request);
    if (visit) visit.secret = secret;
    void reply.header('set-cookie', COOKIES[this.realm.name].of(secret));
  }

  /** Takes a fresh one-time code for a risky action, and gives the browser the session's new secret. */
  async stepUp(asked: Asked, form: FormBody, action: string, commandId: string): Promise<void> {
    const { request } = asked;
    const { secret, person } = visitOf(request);
    const { code = '', form_id: formId } = form;
    const repeated = formId === undefined ? null : { secret, formId };
    const command = new StepUp(person.open, code, action, commandId, clientOf(request), request.id, repeated);
    const given = await this.signed.commands.execute(command);
    this.keepSession(asked, given.secret);
  }

  forgetSession({ reply }: Asked): void {
    void reply.header('set-cookie', COOKIES[this.realm.name].gone);
  }

  private async once(asked: Asked, form: FormBody, effect: Leading<Context>['effect']) {
    const { request } = asked;
    const { person, rule, secret, isReplaced } = visitOf<Person>(request);
    const { code: _, ...fields } = form;
    const asking = {
      ...this.ownerOf(person),
      action: `${person.sessionId} ${request.raw.url}`,
      form: fields,
      nowMs: person.nowMs,
    };
    const { highRisk } = rule;
    // The answer to the same form, sent before, may have been lost: the browser gets the secret that it has made.
    if (isReplaced) this.keepSession(asked, secret);
    let isFollowing = highRisk !== null && !isReplaced;
    try {
      return await this.signed.forms.once(asking, async command => {
        if (highRisk !== null) {
          await this.stepUp(asked, form, highRisk, command.commandId);
          isFollowing = false;
        }
        return effect({ command, context: this.contextOf(person, command) });
      });
    } finally {
      if (isFollowing) await this.followStepUp(asked, form);
    }
  }

  /** The same form may have stepped up while this one waited for its turn. */
  private async followStepUp(asked: Asked, { form_id: formId = '' }: FormBody): Promise<void> {
    const { person, secret } = visitOf(asked.request);
    const newest = await this.signed.commands.execute(new FollowStepUp(person.open, { secret, formId }));
    if (newest !== null) this.keepSession(asked, newest);
  }

  private async sendWith(
    asked: Asked,
    page: ComponentChild,
    live: Pick<SignedFacts, 'version' | 'events'>,
    holdsSecret: boolean = false,
  ): Promise<void> {
    const { pages } = this.signed;
    const { request, reply } = asked;
    const facts = { ...(await this.factsOf(asked)), ...live };
    const status = statusOf(asked, facts.fault?.code ?? null);
    const children = await this.within(request, page);
    const within = h(SignedContext.Provider, { value: facts, children });
    await pages.send(request, reply, pages.factsFor(request, this.ownUrl(request)), within, status, holdsSecret);
  }

  private async factsOf(asked: Asked): Promise<Omit<SignedFacts, 'version' | 'events'>> {
    const { tokens, entropy } = this.signed;
    const { request } = asked;
    const visit = visitIn(request);
    return {
      realm: this.realm,
      home: this.addressOf(asked, ''),
      timeZone: visit?.person.timeZone ?? null,
      csrf: visit === null ? '' : await tokens.show(visit.person.sessionId),
      formId: freshFormId(entropy),
      fault: this.faults.get(request) ?? null,
    };
  }

  private listen<View>(asked: Asked, view: (person: Person) => Promise<View>): void {
    const { person, personNow } = visitOf<Person>(asked.request);
    const page = `${person.sessionId} ${asked.request.raw.url}`;
    openStream(this.signed.live, asked, page, async () => {
      const now = await personNow();
      return now && this.versionOf(await view(now));
    });
  }

  private versionOf(view: unknown): string {
    const text = JSON.stringify(view, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    const shown = createHash('sha256').update(text).digest('hex').slice(0, VERSION_LENGTH);
    return pageVersion(shown, this.signed.pages.buildId);
  }

  /** The address under which a browser loads the page; below it, the page's forms have theirs. */
  private ownUrl(request: ApiRequest): string {
    const { pages, paths } = this.signed;
    const { raw, method, routeOptions } = request;
    return pages.root + (method === 'POST' ? paths.pageOf(routeOptions.url ?? '', pathIn(request)) : (raw.url ?? ''));
  }
}

function pathIn({ raw }: ApiRequest): string {
  return (raw.url ?? '').split('?', 1)[0] ?? '';
}
