export const programActs = ['user.agent_ended'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    program: (typeof programActs)[number]
  }
}
