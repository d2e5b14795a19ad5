import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { hashesOf, recoveryCodesOf } from '../recovery-codes';
import { checkOtpauthLabel, totpOfferOf, type TotpOffer } from '../totp-offer';
import { TotpOffers, type OfferHolder } from '../totp-offers';
import { TotpVerifier } from '../totp-verifier';
import { UserWrites } from '../user-writes';
import { users } from '../user.decider';
import type { TotpEnrolled, UserEvent } from '../user.events';
import { EnrolTotp, MakeRecoveryCodes, OfferTotp } from './own-account.command';

type Shown = { readonly recoveryCodes: readonly string[] };

@CommandHandler(OfferTotp)
export class OfferTotpHandler implements ICommandHandler<OfferTotp> {
  constructor(
    private readonly writePath: WritePath,
    private readonly offers: TotpOffers,
  ) {}

  async execute({ holder, label, context }: OfferTotp): Promise<TotpOffer> {
    checkOtpauthLabel(label);
    const { state } = await this.writePath.load(users, 'platform', holder.userId);
    if (state.status !== 'active' || state.merchantId !== context.merchantId) throw refuse('resource_missing');
    return totpOfferOf(await this.offers.secretFor(holder, state.totpSecretSealed, context), label);
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

  async execute({ holder, code, context }: EnrolTotp): Promise<Shown> {
    const { userId, sessionId } = holder;
    const codes = await recoveryCodesOf(this.secretBox, userId, context.commandId);
    const earlier = await this.writes.eventsOf(userId, context.commandId);
    const events = earlier.length > 0 ? earlier : await this.enrol(holder, code, codes, context);
    const enrolled = events.find(event => event.type === 'TotpEnrolled') as TotpEnrolled;
    await this.offers.end(sessionId, enrolled.data.totp_secret_sealed);
    return { recoveryCodes: events.some(isOfCodes) ? codes : [] };
  }

  /** The code that enrols a secret signs in nobody afterwards. */
  private async enrol(
    holder: OfferHolder,
    code: string,
    codes: readonly string[],
    context: AccountContext,
  ): Promise<readonly UserEvent[]> {
    const { userId } = holder;
    const { secretSealed, replaces, step } = await this.offers.judge(holder, code);
    await this.verifier.spend(userId, step, context.commandId);
    const enrol = { type: 'enrol_totp', secretSealed, replaces, codeHashes: hashesOf(codes) } as const;
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
