import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestAuth } from '../testing.ts'

const program = fileURLToPath(new URL('./test-instance-program.ts', import.meta.url))

export type TestInstance = Awaited<ReturnType<typeof startTestInstance>>

/** Another instance of the same application as a process of its own: this one's handlers are not there. */
export async function startTestInstance(auth: TestAuth, env: Record<string, string> = {}) {
  const child = fork(program, {
    execArgv: ['--conditions=svc-source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      NODE_ENV: 'test',
      DATABASE_URL: auth.infrastructure.database?.url,
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: auth.auth.env.SVC_AUTH_VERIFICATION_TOKEN_SECRET,
      SVC_RATE_LIMIT: 'off',
      SVC_MAIL_URL: 'none',
      SVC_SMS_URL: 'none',
      ...env,
    },
  })
  const killer = () => child.kill('SIGKILL')
  process.once('exit', killer)
  const [url] = (await Promise.race([once(child, 'message'), failure(child)])) as [string]
  return {
    url,
    stop: async () => {
      process.off('exit', killer)
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`The instance ended with ${code} before it listened.`)
}
