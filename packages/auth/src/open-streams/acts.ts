export const openStreamActs = ['stream.ended'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    openStream: (typeof openStreamActs)[number]
  }
}
