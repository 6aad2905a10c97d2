export const passwordActs = ['password.changed'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    password: (typeof passwordActs)[number]
  }
}
