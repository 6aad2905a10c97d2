import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Instance, startInstance } from '../start-instance.ts'

type Env = Record<string, string>

const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** Three instances of one application, each a process with a port that it keeps. */
export async function startFleet(env: Env) {
  const logged: string[] = []
  async function start(port: number) {
    const instance = await startInstance({ program, env: { ...env, SVC_PORT: `${port}` }, logged })
    await untilReady(instance.url)
    return instance
  }
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

async function untilReady(url: string) {
  while (!(await fetch(`${url}/_core/health/ready`)).ok) await wait(50)
}
