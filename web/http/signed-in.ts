import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { SessionStage } from '../../src/modules/sessions/signed-in';
import type { ApiRequest } from '../../src/platform/http/caller';
import { MayLack, TakesForm } from '../../src/platform/http/form-body';
import { PAGE_RULE, type PageRule } from '../../src/platform/http/page-admission';
import { TakesUpload, type UploadTerms } from '../../src/platform/http/upload';
import type { Permission } from '../../src/vocabulary/roles';
import type { Person } from './person';
import { visitOf } from './visits';

type FormRule = {
  /** The form's fields beside its id and its token. */
  readonly fields?: readonly string[];
  /** Fields that a browser may leave out, such as boxes that are not ticked. */
  readonly optional?: readonly string[];
  /** The action's name, such as `wallet.create`, where a fresh one-time code is asked for in the field `code`. */
  readonly highRisk?: string;
};

/** The fields of each form that pages put in by themselves. */
const HIDDEN = ['csrf', 'form_id'] as const;
const FULL: readonly SessionStage[] = ['full'];
const page = (rule: Partial<PageRule>) =>
  SetMetadata<symbol, PageRule>(PAGE_RULE, { stages: FULL, permission: null, isForm: false, highRisk: null, ...rule });

/** A page for signed-in people; null asks for no permission. */
export const SignedInPage = (permission: Permission | null) => page({ permission });

/** A form of signed-in people, or a script's request where `fields` are read by the handler itself. */
export const SignedInForm = (permission: Permission | null, rule: FormRule = {}) => formOf(FULL, permission, rule);

type UploadRule = Omit<UploadTerms, 'fields'> & { readonly fields?: readonly string[] };

/** A form of signed-in people with one file. */
export const SignedInUpload = (permission: Permission, { fields = [], ...terms }: UploadRule) =>
  applyDecorators(page({ permission, isForm: true }), TakesUpload({ ...terms, fields: [...HIDDEN, ...fields] }));

/** A page for a session that is not full yet. */
export const StagedPage = (...stages: readonly SessionStage[]) => page({ stages });

export const StagedForm = (stages: readonly SessionStage[], rule: FormRule = {}) => formOf(stages, null, rule);

/** A script's JSON of signed-in people; the browser says that it comes from a page of ours. */
export const SignedInJson = () => page({});

function formOf(
  stages: readonly SessionStage[],
  permission: Permission | null,
  { fields = [], optional = [], highRisk }: FormRule,
) {
  const code = highRisk === undefined ? [] : ['code'];
  return applyDecorators(
    page({ stages, permission, isForm: true, highRisk: highRisk ?? null }),
    TakesForm(...HIDDEN, ...fields, ...code),
    MayLack(...optional),
  );
}

/** The person that the guard has found. */
export const CurrentPerson = createParamDecorator((_: unknown, context: ExecutionContext): Person => {
  return visitOf(context.switchToHttp().getRequest<ApiRequest>()).person;
});
