// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A wallet whose owner's key signs for it (EIP-1271). The length of what is no signature picks a way of going wrong.
contract ContractWallet {
    bytes4 private constant ACCEPTED = 0x1626ba7e;

    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length == 1) revert("no signature");
        if (signature.length == 2) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        if (signature.length == 3) {
            assembly ("memory-safe") {
                mstore(0, or(shl(224, 0x1626ba7e), 1))
                return(0, 32)
            }
        }
        if (signature.length == 4) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        if (signature.length == 5) {
            assembly ("memory-safe") {
                mstore(0, shl(224, 0x1626ba7e))
                return(0, 64)
            }
        }
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(hash, uint8(signature[64]), r, s) == owner ? ACCEPTED : bytes4(0xffffffff);
    }
}
