import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { hashesOf, recoveryCodesOf } from '../recovery-codes';
import { TotpOffers } from '../totp-offers';
import { TotpVerifier } from '../totp-verifier';
import { UserWrites } from '../user-writes';
import { users } from '../user.decider';
import type { TotpEnrolled, UserEvent } from '../user.events';
import { EnrolTotp, MakeRecoveryCodes, OfferTotp, type TotpOffer } from './own-account.command';

const ISSUER = 'Quittance';

type Shown = { readonly recoveryCodes: readonly string[] };

@CommandHandler(OfferTotp)
export class OfferTotpHandler implements ICommandHandler<OfferTotp> {
  constructor(
    private readonly writePath: WritePath,
    private readonly offers: TotpOffers,
  ) {}

  async execute({ userId, label, context }: OfferTotp): Promise<TotpOffer> {
    if (label.trim() === '' || label.includes(':')) throw refuse('invalid_otpauth_label', { param: 'label' });
    const { state } = await this.writePath.load(users, 'platform', userId);
    if (state.status !== 'active' || state.merchantId !== context.merchantId) throw refuse('resource_missing');
    const secret = await this.offers.secretFor(userId, context);
    const query = new URLSearchParams({ secret, issuer: ISSUER });
    return { secret, uri: `otpauth://totp/${ISSUER}:${encodeURIComponent(label)}?${query.toString()}` };
  }
}

@CommandHandler(EnrolTotp)
export class EnrolTotpHandler implements ICommandHandler<EnrolTotp> {
  constructor(
    private readonly writes: UserWrites,
    private readonly offers: TotpOffers,
    private readonly verifier: TotpVerifier,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute({ userId, code, context }: EnrolTotp): Promise<Shown> {
    const codes = await recoveryCodesOf(this.secretBox, userId, context.commandId);
    const earlier = await this.writes.eventsOf(userId, context.commandId);
    const events = earlier.length > 0 ? earlier : await this.enrol(userId, code, codes, context);
    const enrolled = events.find(event => event.type === 'TotpEnrolled') as TotpEnrolled;
    await this.offers.end(userId, enrolled.data.totp_secret_sealed);
    return { recoveryCodes: events.some(isOfCodes) ? codes : [] };
  }

  /** The code that enrols a secret signs in nobody afterwards. */
  private async enrol(
    userId: string,
    code: string,
    codes: readonly string[],
    context: AccountContext,
  ): Promise<readonly UserEvent[]> {
    const { secretSealed, step } = await this.offers.judge(userId, code);
    await this.verifier.spend(userId, step, context.commandId);
    const enrol = { type: 'enrol_totp', secretSealed, codeHashes: hashesOf(codes) } as const;
    return (await this.writes.execute(userId, enrol, context)).events;
  }
}

@CommandHandler(MakeRecoveryCodes)
export class MakeRecoveryCodesHandler implements ICommandHandler<MakeRecoveryCodes> {
  constructor(
    private readonly writes: UserWrites,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute({ userId, context }: MakeRecoveryCodes): Promise<Shown> {
    const recoveryCodes = await recoveryCodesOf(this.secretBox, userId, context.commandId);
    await this.writes.execute(userId, { type: 'make_recovery_codes', codeHashes: hashesOf(recoveryCodes) }, context);
    return { recoveryCodes };
  }
}

function isOfCodes({ type }: UserEvent): boolean {
  return type === 'RecoveryCodesMade';
}
