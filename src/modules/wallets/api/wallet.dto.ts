import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString, MinLength } from 'class-validator';
import { NETWORK_IDS } from '../../../kernel/tokens';
import { failsAs, MaxCharacters } from '../../../platform/http/validation';
import { MAX_LABEL_LENGTH } from '../wallet-registration';
import { VERIFICATION_METHODS, type VerificationMethod } from '../wallet.events';

/** Longer than any challenge; what is not byte for byte the issued one is refused anyway. */
const MAX_CHALLENGE_LENGTH = 2_000;

export class RegisterWalletDto {
  @ApiProperty({ enum: NETWORK_IDS, example: 'base' })
  @IsString()
  network_id!: string;

  @ApiProperty({
    description: '0x and 40 hex characters; on tron 34 characters of base58check, or 41 and 40 hex.',
    example: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  })
  @IsString(failsAs('invalid_address'))
  address!: string;

  @ApiProperty({
    description: 'Your name for it',
    minLength: 1,
    maxLength: MAX_LABEL_LENGTH,
    pattern: '\\S',
    example: 'Till',
  })
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_LABEL_LENGTH)
  label!: string;

  @ApiProperty({ description: 'That nobody else, an exchange for one, holds the key of this address.' })
  @IsBoolean()
  controls_private_key!: boolean;
}

export class WalletChallengeDto {
  @ApiProperty({ enum: VERIFICATION_METHODS })
  @IsIn(VERIFICATION_METHODS)
  method!: VerificationMethod;
}

export class VerifyWalletDto {
  @ApiProperty({ enum: VERIFICATION_METHODS })
  @IsIn(VERIFICATION_METHODS)
  method!: VerificationMethod;

  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    description: 'Of signed_message: over the challenge, as hex.',
  })
  @IsOptional()
  @IsString(failsAs('invalid_challenge_field'))
  signature?: string | null;

  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    maxLength: MAX_CHALLENGE_LENGTH,
    description: 'The challenge, unedited.',
  })
  @IsOptional()
  @IsString(failsAs('invalid_challenge_field'))
  @MaxCharacters(MAX_CHALLENGE_LENGTH, failsAs('invalid_challenge_field'))
  challenge?: string | null;
}
