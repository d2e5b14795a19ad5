import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { failsAs, IsWholeNumber } from '../../../platform/http/validation';
import { LONGEST_ADVANCE_MS } from '../commands/advance-sandbox-clock.command';
import { SANDBOX_OUTCOMES, type SandboxOutcome } from '../sandbox-outcomes';

/** The field may be left out, and null is no value of it. */
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

export class AdvanceSandboxClockDto {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    example: '2026-11-21T12:15:00.000Z',
    description: 'The moment to show from now on',
  })
  @IfGiven()
  @IsString(failsAs('invalid_now'))
  now?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: LONGEST_ADVANCE_MS,
    example: 900_000,
    description: 'In place of `now`',
  })
  @IfGiven()
  @IsWholeNumber(
    0,
    LONGEST_ADVANCE_MS,
    failsAs(value => (Number.isInteger(value) ? 'invalid_advance' : 'invalid_duration')),
  )
  advance_ms?: number;
}

export class SendSandboxTransferDto {
  @ApiProperty({ description: 'A payment whose token is chosen.', example: 'pi_01kb3x5q0g7h2m9c4r8v6t1zny' })
  @IsString()
  payment_intent!: string;

  @ApiProperty({ enum: SANDBOX_OUTCOMES })
  @IsIn(SANDBOX_OUTCOMES)
  outcome!: SandboxOutcome;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: '12.50',
    description: 'What `short` and `over` send; left out, a half and one and a half of what is due',
  })
  @IsOptional()
  @IsString(failsAs('invalid_amount'))
  token_amount?: string | null;
}
