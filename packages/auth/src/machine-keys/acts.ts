export const machineKeyActs = ['key.machine.created'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    machineKey: (typeof machineKeyActs)[number]
  }
}
