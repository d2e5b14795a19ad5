/** Tells of each breach of the content policy, also of one that is reported only. */
document.addEventListener('securitypolicyviolation', ({ disposition, effectiveDirective, blockedURI, sourceFile }) => {
  console.error(`policy (${disposition}): ${effectiveDirective} ${blockedURI} ${sourceFile}`);
});
export {};
