export const profileActs = ['username.changed'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    profile: (typeof profileActs)[number]
  }
}
