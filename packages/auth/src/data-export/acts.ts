export const dataExportActs = ['data.exported'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    dataExport: (typeof dataExportActs)[number]
  }
}
