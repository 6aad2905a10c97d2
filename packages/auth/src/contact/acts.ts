export const contactActs = ['contact.changed', 'contact.undone'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    contact: (typeof contactActs)[number]
  }
}
