import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { invariant } from '../../../kernel/invariant';
import { WritePath } from '../../../kernel/write-path';
import { apiKeys, type Grantor } from '../api-key.decider';
import { MintApiKey, MintApiKeyHandler, type MintedKey } from './mint-api-key.command';

/** The part of a rotation that makes the successor. */
const SUCCESSOR = 'successor';

/** Whether a rotation has made the key, so that the older key's event tells of it. */
export function isOfSuccessor({ metadata }: RecordedEvent): boolean {
  return metadata.command_id.endsWith(`/${SUCCESSOR}`);
}

/** Answers the successor with its text, once; the old key works on for ROTATION_GRACE_MS. */
export class RotateApiKey extends Command<MintedKey> {
  constructor(
    readonly keyId: string,
    readonly grantor: Grantor,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(
    private readonly writePath: WritePath,
    private readonly minting: MintApiKeyHandler,
  ) {}

  /**
   * The old key is rotated first: of two rotations at once only one succeeds. After a crash, the same command run again
   * finishes the successor.
   */
  async execute({ keyId, grantor, context }: RotateApiKey): Promise<MintedKey> {
    const successorContext = withCommand(context, SUCCESSOR);
    const rotate = { type: 'rotate', successor: await this.minting.keyIdOf(successorContext), grantor } as const;
    const { state } = await this.writePath.execute(apiKeys, keyId, rotate, context);
    invariant(state.status !== 'none', 'a rotated key was minted');
    // The successor ends when the old key would have ended: a rotation must not outlive an end that was set.
    const { kind, name, scopes, expires_at: expiresAt } = state.minted;
    const successor = { kind, name, scopes, expiresAt };
    const granted = { ...grantor, withheld: state.withheld };
    return this.minting.execute(new MintApiKey(successor, granted, successorContext));
  }
}
