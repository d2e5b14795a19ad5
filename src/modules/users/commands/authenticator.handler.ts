import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { DomainEvent } from '../../../kernel/event';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { refuse } from '../../../vocabulary/errors';
import { hashesOf, recoveryCodesOf } from '../recovery-codes';
import { checkOtpauthLabel, totpOfferOf, type TotpOffer } from '../totp-offer';
import { TotpOffers, type JudgedOffer } from '../totp-offers';
import { TotpVerifier } from '../totp-verifier';
import { PeopleWrites } from '../credential-writes';
import type { CredentialCommand } from '../credentials';
import type { TotpEnrolled } from '../user.events';
import { EnrolTotp, MakeRecoveryCodes, OfferTotp } from './own-account.command';

type Shown = { readonly recoveryCodes: readonly string[] };

@CommandHandler(OfferTotp)
export class OfferTotpHandler implements ICommandHandler<OfferTotp> {
  constructor(
    private readonly people: PeopleWrites,
    private readonly offers: TotpOffers,
  ) {}

  async execute({ holder, label, context, realm }: OfferTotp): Promise<TotpOffer> {
    checkOtpauthLabel(label);
    const { active: person } = await this.people.of(realm).read(holder.userId);
    if (person?.merchantId !== context.merchantId) throw refuse('resource_missing');
    return totpOfferOf(await this.offers.secretFor(holder, person.totpSecretSealed, context), label);
  }
}

@CommandHandler(EnrolTotp)
export class EnrolTotpHandler implements ICommandHandler<EnrolTotp> {
  constructor(
    private readonly people: PeopleWrites,
    private readonly offers: TotpOffers,
    private readonly verifier: TotpVerifier,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute(command: EnrolTotp): Promise<Shown> {
    const { holder, context, realm } = command;
    const { userId, sessionId } = holder;
    const codes = await recoveryCodesOf(this.secretBox, userId, context.commandId);
    const person = await this.people.of(realm).read(userId);
    const earlier = person.eventsOf(context.commandId);
    const offer = earlier.length > 0 ? null : await this.taken(command);
    const events = offer === null ? earlier : await person.change(enrolmentOf(offer, codes), context);
    const enrolled = events.find(event => event.type === 'TotpEnrolled') as TotpEnrolled;
    await this.offers.end(sessionId, enrolled.data.totp_secret_sealed, offer);
    return { recoveryCodes: events.some(isOfCodes) ? codes : [] };
  }

  /** The code that enrols a secret signs in nobody afterwards. */
  private async taken({ holder, code, context }: EnrolTotp): Promise<JudgedOffer> {
    const offer = await this.offers.judge(holder, code);
    await this.verifier.spend(holder.userId, offer.step, context.commandId);
    return offer;
  }
}

@CommandHandler(MakeRecoveryCodes)
export class MakeRecoveryCodesHandler implements ICommandHandler<MakeRecoveryCodes> {
  constructor(
    private readonly people: PeopleWrites,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute({ userId, context, realm }: MakeRecoveryCodes): Promise<Shown> {
    const recoveryCodes = await recoveryCodesOf(this.secretBox, userId, context.commandId);
    const make = { type: 'make_recovery_codes', codeHashes: hashesOf(recoveryCodes) } as const;
    await this.people.of(realm).change(userId, make, context);
    return { recoveryCodes };
  }
}

function enrolmentOf({ secretSealed, replaces }: JudgedOffer, codes: readonly string[]): CredentialCommand {
  return { type: 'enrol_totp', secretSealed, replaces, codeHashes: hashesOf(codes) };
}

function isOfCodes({ type }: DomainEvent): boolean {
  return type === 'RecoveryCodesMade';
}
