import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, IsString, ValidateNested } from 'class-validator';
import { NETWORK_IDS } from '../../../kernel/tokens';

/** More than there are pairs; a body that names one twice still gets its own refusal. */
const MAX_ENTRIES = 20;

export class RouteEntryDto {
  @ApiProperty({ enum: ['USDT', 'USDC'], example: 'USDC' })
  @IsString()
  asset_symbol!: string;

  @ApiProperty({ enum: NETWORK_IDS, example: 'base' })
  @IsString()
  network_id!: string;

  @ApiProperty({ description: 'A verified wallet on this network.', example: 'wal_01kb3x5q0g7h2m9c4r8v6t1zny' })
  @IsString()
  wallet_id!: string;
}

export class SetRoutesDto {
  @ApiProperty({ type: [RouteEntryDto], minItems: 1, maxItems: MAX_ENTRIES })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ENTRIES)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => RouteEntryDto)
  routes!: RouteEntryDto[];
}
