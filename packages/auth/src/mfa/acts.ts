export const mfaActs = ['mfa.step_up', 'mfa.recovery_codes_made', 'mfa.recovery_code_used'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    mfa: (typeof mfaActs)[number]
  }
}
