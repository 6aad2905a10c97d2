export const passwordResetActs = ['password.reset'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    passwordReset: (typeof passwordResetActs)[number]
  }
}
