export const sessionActs = ['session.bound', 'session.unbound', 'session.renewed'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    session: (typeof sessionActs)[number]
  }
}
