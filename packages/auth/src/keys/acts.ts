export const keyActs = ['key.logout', 'key.revoked', 'key.rotated'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    key: (typeof keyActs)[number]
  }
}
