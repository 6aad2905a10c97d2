import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Given } from './program.ts'

const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** The API as a process of its own, which is started again when it was killed. */
export function createKillableApi(env: Record<string, string>, now: () => Date) {
  let running: { child: ChildProcess; url: string } | null = null

  async function start() {
    const given: Given = { env, nowMillis: now().getTime() }
    const child = fork(program, [JSON.stringify(given)], {
      execArgv: ['--conditions=svc-source'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [{ url }] = (await Promise.race([once(child, 'message'), failed(child)])) as [
      { url: string },
    ]
    child.once('exit', () => {
      if (running?.child === child) running = null
    })
    return { child, url }
  }

  return {
    /** Up, and at the time of the test. */
    async up() {
      running ??= await start()
      const { child, url } = running
      child.send(now().getTime())
      await once(child, 'message')
      return { url }
    },
    kill() {
      running?.child.kill('SIGKILL')
      running = null
    },
    get pid() {
      return running?.child.pid
    },
  }
}

async function failed(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`The API ended with ${code} before it listened.`)
}
