import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { failsAs } from '../../../platform/http/validation';

const METHODS = ['totp'] as const;

export class CreateMfaProofDto {
  @ApiProperty({ enum: METHODS })
  @IsIn(METHODS, failsAs('mfa_method_unsupported'))
  method!: (typeof METHODS)[number];

  @ApiProperty({
    description: 'Of the authenticator app; each can be used once',
    pattern: '^\\d{6}$',
    example: '123456',
  })
  @IsString()
  code!: string;

  @ApiProperty({ description: 'What the proof is for', example: 'wallet.create' })
  @IsString()
  action!: string;
}
