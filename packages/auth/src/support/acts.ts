export const supportActs = ['support.opened', 'support.ended', 'support.code.created'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    support: (typeof supportActs)[number]
  }
}
