import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { API_VERSIONS } from '../../../kernel/api-versions';
import { TOKEN_IDS } from '../../../kernel/tokens';
import { failsAs, IsWholeNumber } from '../../../platform/http/validation';
import { MAX_TOLERANCE_BPS } from '../merchant-settings';

/** The field may be left out, and null is no value of it. */
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

export class BrandDto {
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Corner Shop' })
  @IsOptional()
  @IsString()
  name?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: '#1f6feb' })
  @IsOptional()
  @IsString()
  color?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'https only' })
  @IsOptional()
  @IsString()
  logo_url?: string | null;
}

export class ChangeSettingsDto {
  @ApiPropertyOptional({ minimum: 0, maximum: MAX_TOLERANCE_BPS, description: 'Whole basis points; 100 are 1%' })
  @IfGiven()
  @IsWholeNumber(
    0,
    MAX_TOLERANCE_BPS,
    failsAs(value => (Number.isInteger(value) ? 'invalid_tolerance' : 'invalid_bps')),
  )
  payment_tolerance_bps?: number;

  @ApiPropertyOptional({ enum: TOKEN_IDS, isArray: true, description: 'At least one' })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(TOKEN_IDS.length * 2)
  @IsString({ each: true })
  enabled_tokens?: string[];

  @ApiPropertyOptional({ description: 'What is left out stays as it is; null takes it away' })
  @IfGiven()
  @IsObject()
  @ValidateNested()
  @Type(() => BrandDto)
  brand?: BrandDto;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Null takes it away' })
  @IsOptional()
  @IsString()
  default_success_url?: string | null;

  @ApiPropertyOptional({ enum: API_VERSIONS, description: 'What requests are served that name no version' })
  @IfGiven()
  @IsString()
  api_version?: string;
}
