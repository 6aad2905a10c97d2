export const passkeyActs = ['passkey.enrolled', 'passkey.revoked'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    passkey: (typeof passkeyActs)[number]
  }
}
