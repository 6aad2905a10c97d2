import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export type Instance = Awaited<ReturnType<typeof startInstance>>

interface Given {
  /** The path of a program that sends the `url` of its server when it listens. */
  program: string
  env: Record<string, string>
  /** Gets what it logs. */
  logged: string[]
}

/** One instance of an application, as a process of its own. */
export async function startInstance({ program, env, logged }: Given) {
  const child = fork(program, {
    execArgv: ['--conditions=svc-source'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
  })
  child.stdout?.on('data', (lines: Buffer) => logged.push(lines.toString()))
  const killer = () => child.kill('SIGKILL')
  process.once('exit', killer)
  const ended = once(child, 'exit').then(([code]) => {
    process.off('exit', killer)
    return code as number | null
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), failure(child)])) as [
    { url: string },
  ]
  return {
    url,
    port: Number(new URL(url).port),
    ended,
    signal: (name: NodeJS.Signals) => child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`The instance ended with ${code} before it listened.`)
}
