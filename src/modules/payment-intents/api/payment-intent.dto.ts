import { ApiHideProperty, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, IsIn, IsNotEmpty, IsObject, IsOptional, IsString, Matches, ValidateIf } from 'class-validator';
import { MAX_LINK_LENGTH } from '../../../kernel/links';
import { TOKEN_IDS } from '../../../kernel/tokens';
import { METADATA_LIMITS } from '../../../platform/http/openapi-schema';
import { failsAs, IsMinorUnits, MaxCharacters, MINOR_UNITS_PATTERN } from '../../../platform/http/validation';

const NOTE_LENGTH = 500;
const DESCRIPTION_LENGTH = 200;
const NOT_BLANK = /\S/;

export class CreatePaymentIntentDto {
  @ApiProperty({
    description: 'Whole minor units of `currency`, as an integer or a string of digits',
    oneOf: [
      { type: 'string', pattern: MINOR_UNITS_PATTERN },
      { type: 'integer', minimum: 1 },
    ],
    example: '2500',
  })
  @IsMinorUnits()
  amount!: string;

  @ApiProperty({ description: 'ISO 4217, three uppercase letters', pattern: '^[A-Z]{3}$', example: 'EUR' })
  @Matches(/^[A-Z]{3}$/, failsAs('invalid_currency'))
  currency!: string;

  /** The service derives it from ISO 4217; whoever sends it has misread something, and is told so. */
  @ApiHideProperty()
  @ValidateIf((_, value) => value !== undefined)
  @Equals(undefined, failsAs('invalid_currency_decimals'))
  currency_decimals?: undefined;

  @ApiPropertyOptional({
    type: 'object',
    nullable: true,
    description: 'Up to 20 short strings of your own, given back on every read and delivery',
    ...METADATA_LIMITS,
    example: { order: '42' },
  })
  @IsOptional()
  @IsObject(failsAs('invalid_metadata_value'))
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'What is paid for; shown to the customer at checkout',
    maxLength: DESCRIPTION_LENGTH,
    example: 'Two tickets, row 7',
  })
  @IsOptional()
  @IsString()
  @MaxCharacters(DESCRIPTION_LENGTH)
  description?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Where the customer is sent after checkout; never a proof of payment',
    maxLength: MAX_LINK_LENGTH,
    example: 'https://shop.example/thanks',
  })
  @IsOptional()
  @IsString()
  success_url?: string;
}

export class SelectMethodDto {
  @ApiProperty({ enum: TOKEN_IDS, example: 'usdc-base' })
  @IsIn(TOKEN_IDS, failsAs('unknown_token'))
  token_id!: string;

  @ApiProperty({
    description: 'A verified wallet of yours, named by the route of the token',
    example: 'wal_01kb3x5q0g7h2m9c4r8v6t1zny',
  })
  @IsString()
  @IsNotEmpty()
  wallet_id!: string;
}

export class AcceptDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'For whoever reads this later',
    maxLength: NOTE_LENGTH,
  })
  @IsOptional()
  @IsString()
  @MaxCharacters(NOTE_LENGTH)
  note?: string;
}

export class ResolveDto {
  @ApiProperty({ enum: ['accepted', 'rejected'] })
  @IsIn(['accepted', 'rejected'], failsAs('invalid_resolution'))
  resolution!: 'accepted' | 'rejected';

  @ApiProperty({
    description: 'For whoever reads this later',
    maxLength: NOTE_LENGTH,
    pattern: NOT_BLANK.source,
  })
  @IsString(failsAs('invalid_resolution'))
  @Matches(NOT_BLANK, failsAs('invalid_resolution'))
  @MaxCharacters(NOTE_LENGTH)
  note!: string;
}
