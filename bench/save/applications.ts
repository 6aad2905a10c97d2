import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildPackage, generated, root } from '../harness/built-core.ts'

/** The application to start, and the file to save. */
export interface Application {
  label: string
  folder: string
  /** Arguments for Node. */
  args: string[]
  file: string
  textOf: (word: string) => string
}

const here = join(root, 'bench/save')
const svcDev = [join(generated, 'node_modules/@svc/cli/bin/svc.js'), 'dev', '--api-only']
const wordFile = (word: string) => `export const word = '${word}'\n`

/**
 * Each in a folder of its own below the built packages. Its first request gets the expected answer.
 */
export async function makeApplications(): Promise<Application[]> {
  await Promise.all(['core', 'notification', 'auth', 'cli'].map(buildPackage))
  rmSync(join(generated, 'save'), { recursive: true, force: true })
  const applications = [copyStarter(), makeSmall(), watched('Hono'), watched('Fastify')]
  for (const { file, textOf } of applications) writeFileSync(file, textOf('first'))
  return applications
}

/** With an additional public route, so that no request needs a sign-in. */
function copyStarter(): Application {
  const folder = join(generated, 'save/starter')
  const starter = join(root, 'apps/starter')
  cpSync(join(starter, 'package.json'), join(folder, 'package.json'))
  cpSync(join(starter, 'api'), join(folder, 'api'), {
    recursive: true,
    filter: (path) => !['node_modules', '.svc'].includes(basename(path)),
  })
  const router = join(folder, 'api/router.ts')
  const text = readFileSync(router, 'utf8')
    .replace('routes: {', 'routes: { getWord,')
    .replace('import { mcp }', "import { getWord } from './routes/word.ts'\nimport { mcp }")
  writeFileSync(router, text)
  return {
    label: 'svc dev, the starter: sign-in, database, jobs, events',
    folder,
    args: svcDev,
    file: join(folder, 'api/routes/word.ts'),
    textOf: (word) => `import { allow } from '@svc/auth/server'
import { route } from '@svc/core/contract'

export const getWord = allow.public(route.get('/word').handler(() => ({ word: '${word}' })))
`,
  }
}

function makeSmall(): Application {
  const folder = join(generated, 'save/small')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(join(here, 'small-server.ts'), join(folder, 'server.ts'))
  cpSync(join(root, 'apps/starter/api/main.ts'), join(folder, 'main.ts'))
  return {
    label: 'svc dev, a route and nothing else',
    folder,
    args: svcDev,
    file: join(folder, 'word.ts'),
    textOf: wordFile,
  }
}

function watched(name: 'Hono' | 'Fastify'): Application {
  const folder = join(generated, 'save', name)
  const main = `${name.toLowerCase()}.ts`
  mkdirSync(folder, { recursive: true })
  cpSync(join(here, main), join(folder, main))
  return {
    label: `node --watch, ${name}, a route and nothing else`,
    folder,
    args: ['--watch', '--watch-preserve-output', main],
    file: join(folder, 'word.ts'),
    textOf: wordFile,
  }
}
