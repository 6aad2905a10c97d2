/** What a proof may be signed with: what device keys are. */
export const dpopAlgorithms = ['ES256', 'RS256'] as const
