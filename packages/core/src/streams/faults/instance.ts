import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { InstanceOptions, OrderName, Orders } from './orders.ts'

const program = fileURLToPath(new URL('./program.ts', import.meta.url))

export type Instance = Awaited<ReturnType<typeof startInstance>>

/** A server in a process of its own, which a test can kill. */
export async function startInstance(options: InstanceOptions = {}, env: NodeJS.ProcessEnv = {}) {
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: ['--conditions=svc-source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      NODE_ENV: 'test',
      SVC_PORT: '0',
      SVC_LOG_LEVEL: 'silent',
      ...env,
    },
  })
  const killer = () => child.kill('SIGKILL')
  process.once('exit', killer)
  const ended = once(child, 'exit').then(([code]) => {
    process.off('exit', killer)
    return code as number | null
  })
  const answers = new Map<number, (answer: unknown) => void>()
  const [{ url }] = (await Promise.race([once(child, 'message'), failure(child)])) as [
    { url: string },
  ]
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
    answers.get(id)?.(answer)
    answers.delete(id)
  })
  let asked = 0
  return {
    url,
    port: Number(new URL(url).port),
    /** Its exit code. */
    ended,
    signal: (name: NodeJS.Signals) => child.kill(name),
    ask<Name extends OrderName>(name: Name, given: Orders[Name]['asked']) {
      const id = ++asked
      const answer = new Promise((resolve) => answers.set(id, resolve))
      child.send({ id, name, asked: given })
      return answer as Promise<Orders[Name]['answer']>
    },
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
