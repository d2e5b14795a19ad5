import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { failsAs, MaxCharacters } from '../../../platform/http/validation';
import { MAX_DESCRIPTION_LENGTH } from '../webhook-endpoint.decider';
import { ALL_TYPES, WEBHOOK_TYPES } from '../webhook-types';
import { MAX_URL_LENGTH } from '../webhook-url';

const SUBSCRIBABLE = [ALL_TYPES, ...WEBHOOK_TYPES];
const STATUSES = ['enabled', 'disabled'] as const;

/** The field may be left out, and null is no value of it. */
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

export class CreateWebhookEndpointDto {
  @ApiProperty({
    description: 'Public https; in test mode http as well',
    maxLength: MAX_URL_LENGTH,
    example: 'https://shop.example/hooks',
  })
  @IsString(failsAs('invalid_webhook_url'))
  url!: string;

  @ApiProperty({
    enum: SUBSCRIBABLE,
    isArray: true,
    minItems: 1,
    maxItems: SUBSCRIBABLE.length,
    description: 'Types, or `*` alone for all',
  })
  @IsArray()
  @ArrayMaxSize(SUBSCRIBABLE.length)
  @IsString({ each: true })
  enabled_events!: string[];

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION_LENGTH })
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_DESCRIPTION_LENGTH)
  description?: string | null;
}

export class ChangeWebhookEndpointDto {
  @ApiPropertyOptional({ description: 'Needs the scope webhook_url:manage', maxLength: MAX_URL_LENGTH })
  @IfGiven()
  @IsString(failsAs('invalid_webhook_url'))
  url?: string;

  @ApiPropertyOptional({
    enum: SUBSCRIBABLE,
    isArray: true,
    minItems: 1,
    maxItems: SUBSCRIBABLE.length,
    description: 'Types, or `*` alone for all',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(SUBSCRIBABLE.length)
  @IsString({ each: true })
  enabled_events?: string[];

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION_LENGTH })
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  @ApiPropertyOptional({ enum: STATUSES })
  @IfGiven()
  @IsIn(STATUSES)
  status?: (typeof STATUSES)[number];
}

export class RedeliverDto {
  @ApiProperty({ description: 'To which endpoint', example: 'we_01kb3x5q0g7h2m9c4r8v6t1zny' })
  @IsString()
  endpoint!: string;
}
