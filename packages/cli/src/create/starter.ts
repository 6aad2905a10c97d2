import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { home, repository } from '../repository.ts'
import { walk } from '../run/run.ts'
import { applicationManifest } from './application-manifest.ts'

/** Files by path, as they are in the folder of an application with the name `starter`. */
export type StarterFiles = Record<string, string>

const packed = join(home, 'dist', 'starter.json')

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
    path.endsWith('.md') ? withoutMarks(text) : text,
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
 * The starter's page about its parts. A link to a page of the documentation becomes the path that the page has where the
 * command is installed.
 */
function guideOf(page: string) {
  const from = page.indexOf('## Where things are')
  const guide = page
    .slice(from)
    .replace(
      /\[([^\]]+)\]\((?:\.\.\/)+docs\/([^)#]*)[^)]*\)/g,
      '$1 (`node_modules/@svc/cli/dist/docs/$2`)',
    )
  return withoutMarks(guide)
}

/** Of an example that is not a whole file, a mark for our checks says why. */
function withoutMarks(page: string) {
  return page.replace(/^(```\w+) fragment: .*$/gm, '$1')
}
