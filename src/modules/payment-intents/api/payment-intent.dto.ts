import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsObject, IsOptional, IsString, IsUrl, Matches, MaxLength } from 'class-validator';
import { TOKEN_IDS } from '../../../kernel/tokens';
import { failsAs, IsMinorUnits } from '../../../platform/http/validation';

const URL_LENGTH = 2_048;
const NOTE_LENGTH = 500;

export class CreatePaymentIntentDto {
  @ApiProperty({
    description: 'Integer minor units of `currency`, as an integer or a string of digits',
    example: '2500',
  })
  @IsMinorUnits()
  amount!: string;

  @ApiProperty({ description: 'ISO 4217, three uppercase letters', example: 'EUR' })
  @Matches(/^[A-Z]{3}$/, failsAs('invalid_currency'))
  currency!: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  @IsOptional()
  @IsObject(failsAs('invalid_metadata_value'))
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional({ description: 'Where the customer is sent after checkout; never a proof of payment' })
  @IsOptional()
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  @MaxLength(URL_LENGTH)
  success_url?: string;
}

export class SelectMethodDto {
  @ApiProperty({ enum: TOKEN_IDS })
  @IsIn(TOKEN_IDS, failsAs('unknown_token'))
  token_id!: string;

  @ApiProperty({ example: 'wal_01h8…' })
  @IsString()
  @IsNotEmpty()
  wallet_id!: string;
}

export class AcceptDto {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(NOTE_LENGTH)
  note?: string;
}

export class ResolveDto {
  @ApiProperty({ enum: ['accepted', 'rejected'] })
  @IsIn(['accepted', 'rejected'], failsAs('invalid_resolution'))
  resolution!: 'accepted' | 'rejected';

  @ApiProperty()
  @IsString(failsAs('invalid_resolution'))
  @IsNotEmpty(failsAs('invalid_resolution'))
  @MaxLength(NOTE_LENGTH)
  note!: string;
}
