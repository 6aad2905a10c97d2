import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { repository } from '../repository.ts'
import { runCommand, withProgress } from '../run/run.ts'
import { paint } from '../terminal.ts'
import { checkName, named } from './named.ts'
import { packOwnPackages, withOwnPackages } from './own-packages.ts'
import { type StarterFiles, starterFiles } from './starter.ts'

/** Writes a new application into a folder that is new or empty. */
export async function create(folder: string, flags: Flags) {
  const root = resolve(folder)
  const name = basename(root)
  checkName(name)
  requireEmpty(root, folder)
  const files = named(starterFiles(), name)
  // First, because it may fail.
  if (repository !== null) await packOwnPackages(repository, root)
  await write(root, repository === null ? files : withOwnPackages(files))
  console.log(whatIsThere(name))
  if (!flags['no-install']) await installIn(root)
  console.log(whatNext(root))
  return 0
}

function requireEmpty(root: string, written: string) {
  if (!existsSync(root)) return
  if (!statSync(root).isDirectory())
    throw new CommandFailure(`${written} is a file. Choose another folder.`)
  // A new git repository counts as empty.
  const there = readdirSync(root).filter((name) => name !== '.git')
  if (there.length === 0) return
  throw new CommandFailure(
    `${written} is not empty (${there.slice(0, 3).join(', ')}${there.length > 3 ? ', …' : ''}): nothing was written. Choose a new or an empty folder.`,
  )
}

async function write(root: string, files: StarterFiles) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

async function installIn(root: string) {
  console.log('\nInstalling packages (npm install). This takes a minute or two.')
  // With NODE_ENV=production, npm would not install the command.
  const args = ['install', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'] as const
  const { passed, output } = await withProgress(
    'Installing packages',
    runCommand(['npm', ...args], { cwd: root }),
  )
  if (passed) return
  throw new CommandFailure(
    `${output.trim()}

npm could not install the packages. Its message is above. The application's files are complete.
When npm can reach its registry, run:
${enter(root)}
  npm install`,
  )
}

function whatIsThere(name: string) {
  const packages =
    repository === null ? [] : ['  vendor/      the packages of Svc, from this clone']
  return `${paint('green', 'wrote')} ${name}
  api/         the API
  web/         the web app, on Next.js
${[
  ...packages,
  '  README.md    where things are, and how to change them',
  '  AGENTS.md    the same for agents that write code',
].join('\n')}`
}

function whatNext(root: string) {
  return `
Next:
${enter(root)}
  npm start      installs what is missing, and runs it
  npm run dev    the same while you change it`
}

function enter(root: string) {
  return `  cd ${relative('.', root) || '.'}`
}
