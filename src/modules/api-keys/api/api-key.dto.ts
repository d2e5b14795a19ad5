import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { failsAs, MaxCharacters } from '../../../platform/http/validation';
import { MAX_KEY_NAME_LENGTH } from '../api-key.decider';
import { KEY_KINDS } from '../api-key.events';
import { SCOPES } from '../../../kernel/scopes';

const NO_CONTROLS = /^\P{Cc}*$/u;

export class MintApiKeyDto {
  @ApiProperty({ enum: KEY_KINDS, description: 'Secret, publishable or restricted.' })
  @IsIn(KEY_KINDS, failsAs('invalid_key_kind'))
  kind!: string;

  @ApiProperty({ required: false, nullable: true, type: String, maxLength: MAX_KEY_NAME_LENGTH })
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_KEY_NAME_LENGTH)
  @Matches(NO_CONTROLS)
  name?: string | null;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    minItems: 1,
    maxItems: SCOPES.length,
    description: 'Each among the scopes of the calling key.',
  })
  @IsArray(failsAs('invalid_scope'))
  @ArrayNotEmpty(failsAs('invalid_scope'))
  @ArrayMaxSize(SCOPES.length, failsAs('invalid_scope'))
  @IsIn(SCOPES, { each: true, ...failsAs('invalid_scope') })
  scopes!: string[];

  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    format: 'date-time',
    example: '2027-11-21T12:00:00.000Z',
  })
  @IsOptional()
  @IsString(failsAs('invalid_timestamp'))
  expires_at?: string | null;
}
