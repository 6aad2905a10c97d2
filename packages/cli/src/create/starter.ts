import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { walk } from '../run/run.ts'
import { applicationManifest } from './application-manifest.ts'

/** Files by path, as they are in the folder of an application with the name `starter`. */
export type StarterFiles = Record<string, string>

const home = resolve(import.meta.dirname, '../..')
const packed = join(home, 'dist', 'starter.json')

/** The repository that this command runs from; null if it was installed. */
export const repository = repositoryAt(resolve(home, '../..'))

function repositoryAt(folder: string) {
  return existsSync(join(folder, 'apps/starter/api')) && existsSync(join(home, 'template'))
    ? folder
    : null
}

export function starterFiles(): StarterFiles {
  if (repository !== null) return filesOf(repository)
  return JSON.parse(readFileSync(packed, 'utf8'))
}

/** The browser tests need tools of the repository. */
const left =
  /^(web\/browser\/|package\.json$|README\.md$|\.gitignore$|web\/next-env\.d\.ts$|.*\.tsbuildinfo$)/

const renamed: Record<string, string> = {
  gitignore: '.gitignore',
  'env.example': '.env.example',
  'env.test': '.env.test',
}

function filesOf(root: string): StarterFiles {
  const starter = textsIn(join(root, 'apps/starter'))
  const kept = Object.entries(starter).filter(([path]) => !left.test(path))
  const template = Object.entries(textsIn(join(home, 'template'))).map(([path, text]) => [
    renamed[path] ?? path,
    text,
  ])
  const files: StarterFiles = Object.fromEntries([...kept, ...template])
  return {
    ...files,
    'README.md': `${files['README.md']}${guideOf(starter['README.md'] ?? '')}`,
    'package.json': applicationManifest(
      JSON.parse(starter['package.json'] ?? ''),
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    ),
  }
}

function textsIn(folder: string): StarterFiles {
  const files = walk(folder).filter(({ isFolder }) => !isFolder)
  return Object.fromEntries(
    files.map(({ path }) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
}

/**
 * The starter's page about its parts, without marks for checks. A link into the repository becomes
 * a path.
 */
function guideOf(page: string) {
  const from = page.indexOf('## Where things are')
  return page
    .slice(from)
    .replace(/\[([^\]]+)\]\((?:\.\.\/)+([^)#]*)[^)]*\)/g, '$1 (`$2` of Svc)')
    .replace(/^(```\w+) fragment: .*$/gm, '$1')
}
