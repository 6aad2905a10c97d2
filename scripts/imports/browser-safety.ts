import { isBuiltin } from 'node:module'
import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

const browserEntries = [
  'packages/core/src/contract.ts',
  'packages/core/src/calls.ts',
  'packages/core/src/client.ts',
  'packages/core/src/page.ts',
  'packages/core/src/paging.ts',
  'packages/core/src/env.ts',
  'packages/core/src/html.ts',
  'packages/auth/src/index.ts',
  'packages/auth/src/browser.ts',
  'packages/auth/src/contract.ts',
  'packages/organizations/src/index.ts',
  'packages/organizations/src/contract.ts',
  'packages/organizations/src/web.ts',
  'packages/organizations/src/web-korean.ts',
  'packages/web/src/account.ts',
  'packages/web/src/account-korean.ts',
  'packages/web/src/console.ts',
  'packages/web/src/react.ts',
  'packages/web/src/bound-session.ts',
  'packages/web/src/forwarding.ts',
  'packages/web/src/proxy.ts',
]
const serverPackages = [
  '@simplewebauthn/server',
  'bcrypt',
  'drizzle-orm',
  'ioredis',
  'nodemailer',
  'pg',
  'pg-boss',
  'pino',
  'ws',
]

/** A browser-safe entry must not reach a server module. Type-only imports are erased. */
export function browserSafety(files: SourceFile[]): Refusal[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const ways = reachable(byPath)
  return [...ways].flatMap(([path, way]) => {
    const imports = byPath.get(path)?.imports ?? []
    return imports
      .filter(({ typeOnly, specifier }) => !typeOnly && isServerModule(specifier))
      .map(({ specifier, line }) => ({
        path,
        line,
        rule: `${specifier} is for servers, and ${way.join(' → ')} is browser-safe`,
      }))
  })
}

/** Every file that an entry reaches at run time, with the path of imports to it. */
function reachable(byPath: Map<string, SourceFile>) {
  const ways = new Map(
    browserEntries.filter((each) => byPath.has(each)).map((each) => [each, [each]]),
  )
  // Iterating over a Map includes entries that are added meanwhile.
  for (const [path, way] of ways) {
    for (const { target, typeOnly } of byPath.get(path)?.imports ?? []) {
      if (target !== null && !typeOnly && !ways.has(target)) ways.set(target, [...way, target])
    }
  }
  return ways
}

function isServerModule(specifier: string) {
  return (
    isBuiltin(specifier) ||
    serverPackages.some((each) => specifier === each || specifier.startsWith(`${each}/`))
  )
}
