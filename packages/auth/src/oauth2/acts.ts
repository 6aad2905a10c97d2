export const oauth2Acts = [
  'oauth2.allowed',
  'oauth2.asserted',
  'oauth2.exchanged',
  'oauth2.revoked',
  'openid.signed_in',
] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    oauth2: (typeof oauth2Acts)[number]
  }
}
