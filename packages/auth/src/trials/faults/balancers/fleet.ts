import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

type Env = Record<string, string>
type Instance = Awaited<ReturnType<typeof startInstance>>

const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** Three instances of one application, each a process with a port that it keeps. */
export async function startFleet(env: Env) {
  const logged: string[] = []
  const start = (port: number) => startInstance({ ...env, SVC_PORT: `${port}` }, logged)
  const instances = await Promise.all([start(0), start(0), start(0)])

  async function restart(at: number, instance: Instance) {
    instance.signal('SIGTERM')
    const code = await instance.ended
    instances[at] = await start(instance.port)
    return code
  }

  return {
    /** What they have logged, which is errors. */
    logged,
    ports: instances.map(({ port }) => port),
    /** Ends each as a supervisor does, waits for its end, and starts it again. Answers their exit codes. */
    async restartOneByOne() {
      const codes: (number | null)[] = []
      for (const [at, instance] of instances.entries()) codes.push(await restart(at, instance))
      return codes
    },
    async stop() {
      await Promise.all(instances.map((instance) => instance.kill()))
    },
  }
}

async function startInstance(env: Env, logged: string[]) {
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
  await untilReady(url)
  return {
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

async function untilReady(url: string) {
  while (!(await fetch(`${url}/_core/health/ready`)).ok) await wait(50)
}
