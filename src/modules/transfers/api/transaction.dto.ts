import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { failsAs, IsWholeNumber, MaxCharacters } from '../../../platform/http/validation';

/** Longer than any hash, and than the address of any page that shows one. */
const TEXT_LENGTH = 300;
/** A block holds fewer logs. */
const MAX_LOG_INDEX = 1_000_000;

export class NameTransactionDto {
  @ApiProperty({
    description:
      "The transaction that paid: 0x and 64 hex characters, on tron 64 without 0x. An exchange's own number is filed for support",
    minLength: 1,
    maxLength: TEXT_LENGTH,
    example: `0x${'5c'.repeat(32)}`,
  })
  @IsString(failsAs('invalid_tx_hash'))
  @IsNotEmpty(failsAs('invalid_tx_hash'))
  @MaxCharacters(TEXT_LENGTH, failsAs('invalid_tx_hash'))
  tx_hash!: string;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: 'Which transfer of the transaction; needed where it holds several to your wallet',
    minimum: 0,
    maximum: MAX_LOG_INDEX,
    example: 0,
  })
  @IsOptional()
  @IsWholeNumber(0, MAX_LOG_INDEX, failsAs('invalid_log_index'))
  log_index?: number;
}
