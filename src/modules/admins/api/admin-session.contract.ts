import { Text } from '../../../platform/http/fields/text-fields';
import { AnyObject } from '../../../platform/http/fields/value-fields';
import type { AdminPermission, AdminRole } from '../../../vocabulary/admin-roles';
import type { SessionStage } from '../../sessions/signed-in';

const MAX_EMAIL = 254;
const MAX_PASSWORD = 1_024;
const MAX_CODE = 40;
const MAX_TOKEN = 100;
const MAX_NAME = 100;

export class PasswordDto {
  @Text({ max: MAX_EMAIL })
  email!: string;

  @Text({ max: MAX_PASSWORD })
  password!: string;
}

export class CodeDto {
  @Text({ max: MAX_CODE })
  code!: string;
}

export class CredentialDto {
  @AnyObject('passkey_malformed')
  credential!: object;
}

export class NewPasskeyDto extends CredentialDto {
  @Text({ max: MAX_NAME })
  name!: string;
}

export class NewPasswordDto {
  @Text({ max: MAX_PASSWORD })
  present_password!: string;

  @Text({ max: MAX_PASSWORD })
  password!: string;
}

export class ResetRequestDto {
  @Text({ max: MAX_EMAIL })
  email!: string;
}

export class ResetDto {
  @Text({ max: MAX_TOKEN })
  token!: string;

  @Text({ max: MAX_PASSWORD })
  password!: string;
}

export class InvitationDto extends ResetDto {
  @Text({ max: MAX_NAME })
  name!: string;
}

/** A session after a step of the sign-in. The cookie comes beside it. */
export type AdminStepResource = {
  readonly object: 'admin_session';
  readonly id: string;
  readonly stage: SessionStage;
  readonly csrf_token: string;
  readonly expires_at: string;
};

export type AdminSessionResource = AdminStepResource & {
  readonly admin: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly role: AdminRole;
  };
  /** Null for a session that is not full yet. */
  readonly permissions: readonly AdminPermission[] | null;
};
