export const revokeAllActs = [
  'key.revoked_all',
  'revoke_all_link.created',
  'revoke_all_link.consumed',
] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    revokeAll: (typeof revokeAllActs)[number]
  }
}
