export const socialActs = ['social.linked', 'social.unlinked'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    social: (typeof socialActs)[number]
  }
}
