import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { API_VERSIONS } from '../../../kernel/api-versions';
import { MAX_LINK_LENGTH } from '../../../kernel/links';
import { TOKEN_IDS } from '../../../kernel/tokens';
import { failsAs, IsWholeNumber } from '../../../platform/http/validation';
import { BRAND_COLOR, MAX_BRAND_NAME_LENGTH, MAX_TOLERANCE_BPS } from '../merchant-settings';

/** More than there are: one that is named twice is taken once. */
const MAX_TOKENS = TOKEN_IDS.length * 2;

/** The field may be left out, and null is no value of it. */
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

export class BrandDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: '\\S',
    maxLength: MAX_BRAND_NAME_LENGTH,
    example: 'Corner Shop',
  })
  @IsOptional()
  @IsString()
  name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, pattern: BRAND_COLOR.source, example: '#1f6feb' })
  @IsOptional()
  @IsString()
  color?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_LINK_LENGTH, description: 'https only' })
  @IsOptional()
  @IsString()
  logo_url?: string | null;
}

export class ChangeSettingsDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_TOLERANCE_BPS,
    description: 'Whole basis points; 100 are 1%',
  })
  @IfGiven()
  @IsWholeNumber(
    0,
    MAX_TOLERANCE_BPS,
    failsAs(value => (Number.isInteger(value) ? 'invalid_tolerance' : 'invalid_bps')),
  )
  payment_tolerance_bps?: number;

  @ApiPropertyOptional({
    enum: TOKEN_IDS,
    isArray: true,
    minItems: 1,
    maxItems: MAX_TOKENS,
    description: 'At least one',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MAX_TOKENS)
  @IsString({ each: true })
  enabled_tokens?: string[];

  @ApiPropertyOptional({ description: 'What is left out stays as it is; null takes it away' })
  @IfGiven()
  @IsObject()
  @ValidateNested()
  @Type(() => BrandDto)
  brand?: BrandDto;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_LINK_LENGTH, description: 'Null takes it away' })
  @IsOptional()
  @IsString()
  default_success_url?: string | null;

  @ApiPropertyOptional({ enum: API_VERSIONS, description: 'What requests are served that name no version' })
  @IfGiven()
  @IsString()
  api_version?: string;
}
