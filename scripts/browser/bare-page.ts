import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { nextCommand } from '../../packages/cli/src/run/web-build.ts'

const repository = resolve(import.meta.dirname, '..', '..')
const web = join(repository, 'apps', 'starter', 'web')

/**
 * What a page with nothing but a `next/link` loads beside the scripts of every page: Next's router of layouts, and the
 * link. bare-page.long.test.ts builds such a page.
 */
export const barePage = { next: '16.4.6', bytes: 6817 }

export const versionOfNext = (): string =>
  JSON.parse(readFileSync(join(repository, 'node_modules/next/package.json'), 'utf8')).version

const files = {
  'package.json': '{ "private": true, "type": "module" }',
  'next.config.ts': `export default { experimental: { useTypeScriptCli: true, turbopackServerFastRefresh: false } }`,
  'tsconfig.json': readFileSync(join(web, 'tsconfig.json'), 'utf8'),
  'app/layout.tsx': `import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`,
  'app/login/page.tsx': `import Link from 'next/link'
import { connection } from 'next/server'

export default async function Page() {
  await connection()
  return <Link href="/">Home</Link>
}
`,
}

/** Builds the page, and returns the folder. */
export async function buildBarePage() {
  mkdirSync(join(repository, '.svc'), { recursive: true })
  const folder = mkdtempSync(join(repository, '.svc', 'bare-page-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const }
  const command = [process.execPath, ...nextCommand(web, 'build')] as const
  const { passed, output } = await runCommand([...command], { cwd: folder, env })
  if (!passed) throw new Error(output)
  return folder
}

/** The scripts that Next loads on every page of a build. */
export function scriptsOfEveryPage(folder: string) {
  const manifest = join(folder, '.next', 'build-manifest.json')
  const { rootMainFiles, polyfillFiles } = JSON.parse(readFileSync(manifest, 'utf8'))
  return [...rootMainFiles, ...polyfillFiles] as string[]
}

/** How many bytes of scripts the page loads beside these. */
export function bytesOfBarePage(folder: string) {
  const built = (path: string) => join(folder, '.next', path)
  const page = built('server/app/login/page_client-reference-manifest.js')
  const loaded = new Set(readFileSync(page, 'utf8').match(/static\/chunks\/[\w~.-]+\.js/g))
  const everywhere = scriptsOfEveryPage(folder)
  return [...loaded]
    .filter((path) => !everywhere.includes(path))
    .reduce((sum, path) => sum + gzipSync(readFileSync(built(path))).length, 0)
}
