import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { SessionStage } from '../../src/modules/sessions/signed-in';
import type { ApiRequest } from '../../src/platform/http/caller';
import { MayLack, TakesForm } from '../../src/platform/http/form-body';
import { PAGE_RULE, type PageRule } from '../../src/platform/http/page-admission';
import { TakesUpload, type UploadTerms } from '../../src/platform/http/upload';
import type { AdminPermission } from '../../src/vocabulary/admin-roles';
import type { RealmName } from '../../src/vocabulary/realms';
import type { Permission } from '../../src/vocabulary/roles';
import type { SignedInPerson } from './person';
import { visitOf } from './visits';

type FormRule = {
  /** The form's fields beside its id and its token. */
  readonly fields?: readonly string[];
  /** Fields that a browser may leave out, such as boxes that are not ticked. */
  readonly optional?: readonly string[];
  /** The action's name, such as `wallet.create`, where a fresh one-time code is asked for in the field `code`. */
  readonly highRisk?: string;
};

type Terms = Partial<Pick<PageRule, 'stages' | 'isForm' | 'highRisk'>>;
/** The readers of a page: the realm, and the permission that they need; null for none. */
type Readers = PageRule extends infer Rule
  ? Rule extends PageRule
    ? Pick<Rule, 'realm' | 'permission'>
    : never
  : never;

/** The fields of each form that pages put in by themselves. */
const HIDDEN = ['csrf', 'form_id'] as const;
const FULL: readonly SessionStage[] = ['full'];
const page = (readers: Readers, terms: Terms = {}) =>
  SetMetadata<symbol, PageRule>(PAGE_RULE, { stages: FULL, isForm: false, highRisk: null, ...terms, ...readers });

/** A page for signed-in people of a merchant; null asks for no permission. */
export const SignedInPage = (permission: Permission | null) => page({ realm: 'merchant', permission });

/** A form of signed-in people, or a script's request where `fields` are read by the handler itself. */
export const SignedInForm = (permission: Permission | null, rule: FormRule = {}) =>
  formOf(FULL, { realm: 'merchant', permission }, rule);

type UploadRule = Omit<UploadTerms, 'fields'> & { readonly fields?: readonly string[] };

/** A form of signed-in people with one file. */
export const SignedInUpload = (permission: Permission, { fields = [], ...terms }: UploadRule) =>
  applyDecorators(
    page({ realm: 'merchant', permission }, { isForm: true }),
    TakesUpload({ ...terms, fields: [...HIDDEN, ...fields] }),
  );

/** A page for signed-in administrators; null asks for no permission. */
export const ConsoleRoute = (permission: AdminPermission | null) => page({ realm: 'admin', permission });

/** A form of signed-in administrators. */
export const ConsoleForm = (permission: AdminPermission | null, rule: FormRule = {}) =>
  formOf(FULL, { realm: 'admin', permission }, rule);

const everyRole = (realm: RealmName): Readers => ({ realm, permission: null });

/** A page of a person's own, whatever the role. */
export const OwnPage = (realm: RealmName) => page(everyRole(realm));

/** A form about a person's own account. */
export const OwnForm = (realm: RealmName, rule: FormRule = {}) => formOf(FULL, everyRole(realm), rule);

/** A page for a session that is not full yet. */
export const StagedPage = (realm: RealmName, ...stages: readonly SessionStage[]) => page(everyRole(realm), { stages });

export const StagedForm = (realm: RealmName, stages: readonly SessionStage[], rule: FormRule = {}) =>
  formOf(stages, everyRole(realm), rule);

/** A script's JSON of signed-in people; the browser says that it comes from a page of ours. */
export const SignedInJson = (realm: RealmName) => page(everyRole(realm));

function formOf(stages: readonly SessionStage[], readers: Readers, { fields = [], optional = [], highRisk }: FormRule) {
  const code = highRisk === undefined ? [] : ['code'];
  return applyDecorators(
    page(readers, { stages, isForm: true, highRisk: highRisk ?? null }),
    TakesForm(...HIDDEN, ...fields, ...code),
    MayLack(...optional),
  );
}

/** The person that the guard has found. */
export const CurrentPerson = createParamDecorator((_: unknown, context: ExecutionContext): SignedInPerson => {
  return visitOf<SignedInPerson>(context.switchToHttp().getRequest<ApiRequest>()).person;
});
