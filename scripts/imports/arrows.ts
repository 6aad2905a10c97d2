import type { Import, SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

const mayImport: Record<string, string[]> = {
  core: [],
  notification: ['core'],
  auth: ['notification', 'core'],
  mcp: ['auth', 'core'],
  organizations: ['auth', 'notification', 'core', 'web'],
  web: ['core', 'auth'],
  cli: ['core'],
}

/** The arrows between packages: apps → everything · web → core, auth · auth → notification, core · … */
export function arrows(files: SourceFile[]): Refusal[] {
  return files.flatMap((file) =>
    file.imports.flatMap((each) => {
      const rule = refuse(file, each)
      return rule === null ? [] : [{ path: file.path, line: each.line, rule }]
    }),
  )
}

function refuse({ path, isTest }: SourceFile, { specifier, target, typeOnly }: Import) {
  const from = packageOf(path)
  const to = importedPackage(specifier) ?? (target === null ? null : packageOf(target))
  if (from === null || to === null || from === to) return null

  if (specifier.startsWith('.')) {
    return `${from} reaches into ${to} by path: import the package's entry by its name`
  }
  if (from === 'apps') return null
  const allowed = mayImport[from] ?? []
  if (!allowed.includes(to)) {
    return `${from} may import ${allowed.join(' and ') || 'no other package'}, not ${to} (${specifier})`
  }
  // A server that has organizations loads no page.
  const isPage = /^packages\/organizations\/src\/(?:console|pages\/|web)/.test(path)
  if (from === 'organizations' && to === 'web' && !isPage) {
    return `only the pages of organizations may import web, not ${path}`
  }
  // A test of web may start the server that web talks to. The schemas of contracts are too large
  // for a proxy.
  const isSafe = specifier === '@svc/auth' || (specifier === '@svc/auth/contract' && typeOnly)
  if (from === 'web' && to === 'auth' && !isSafe && !isTest) {
    return `web may import @svc/auth only, and types of @svc/auth/contract, not ${specifier}`
  }
  return null
}

/** The package of a file, or apps; null for scripts and benches, which may import anything. */
function packageOf(path: string) {
  return /^packages\/([^/]+)\//.exec(path)?.[1] ?? (path.startsWith('apps/') ? 'apps' : null)
}

function importedPackage(specifier: string) {
  return /^@svc\/([^/]+)/.exec(specifier)?.[1] ?? null
}
