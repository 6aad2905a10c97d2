export const registerActs = ['register'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    register: (typeof registerActs)[number]
  }
}
