// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// An ERC-20 token for local chains only: its whole supply belongs to whoever deploys it.
contract SandboxToken {
    string public name;
    string public symbol;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint8 public immutable decimals;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error InsufficientBalance(address owner, uint256 balance, uint256 needed);
    error InsufficientAllowance(address spender, uint256 allowance, uint256 needed);
    error InvalidAddress(address account);
    error LengthMismatch(uint256 recipients, uint256 values);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        totalSupply = 10 ** 12 * 10 ** uint256(decimals_);
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        if (spender == address(0)) revert InvalidAddress(spender);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert InsufficientAllowance(msg.sender, allowed, value);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    /// Several transfers in one transaction, as payout services make them.
    function transferMany(address[] calldata recipients, uint256[] calldata values) external returns (bool) {
        if (recipients.length != values.length) revert LengthMismatch(recipients.length, values.length);
        for (uint256 i = 0; i < recipients.length; i++) move(msg.sender, recipients[i], values[i]);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        if (to == address(0)) revert InvalidAddress(to);
        uint256 balance = balanceOf[from];
        if (balance < value) revert InsufficientBalance(from, balance, value);
        balanceOf[from] = balance - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
