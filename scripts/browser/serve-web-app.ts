import { resolve } from 'node:path'
import { startPart } from '../../packages/cli/src/run/parts.ts'
import { serveCommand } from '../../packages/cli/src/run/web-build.ts'

const web = resolve(import.meta.dirname, '..', '..', 'apps', 'starter', 'web')

interface Given {
  /** A built web app. */
  folder: string
  url: string
  env: NodeJS.ProcessEnv
}

/** Test runs are killed now and then. Without this, the processes that they started would stay. */
const endWithParent = `data:text/javascript,
  setInterval(() => process.ppid === ${process.pid} || process.exit(), 500).unref()`

export type ServedWebApp = ReturnType<typeof serveWebApp>

/** Serves a built web app. Its process may fail to become ready. */
export function serveWebApp({ folder, url, env }: Given) {
  const lines: string[] = []
  const command = serveCommand(web, new URL(url).port)
  const args = ['--import', endWithParent, ...command]
  const atOnce = { SVC_SHUTDOWN_DELAY: '0s', ...env }
  const part = startPart(
    { name: 'Web app', args, cwd: folder, env: atOnce, readyUrl: url },
    (line) => lines.push(line),
  )
  return { ...part, url, lines }
}

export async function serveUntilReady(given: Given) {
  const served = serveWebApp(given)
  if (await served.isReady()) return served
  await served.stop()
  throw new Error(served.lines.join('\n'))
}
