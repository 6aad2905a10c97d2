import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Starts a server in a process of its own, where some packages are not installed. */
async function startWithout(packages: string[], env: Record<string, string>) {
  const program = `
    import { registerHooks } from 'node:module'
    const missing = ${JSON.stringify(packages)}
    const asked = new Set()
    registerHooks({
      resolve(specifier, context, next) {
        asked.add(specifier)
        if (!missing.includes(specifier)) return next(specifier, context)
        throw Object.assign(new Error('Cannot find ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' })
      },
    })
    const { defineServer } = await import(${at('../definition/define-server.ts')})
    const { runServer } = await import(${at('../server/run-server.ts')})
    const { stop } = await runServer(defineServer())
    await stop()
    console.log(JSON.stringify([...asked]))`
  const flags = ['--conditions=svc-source', '--input-type=module', '--eval', program]
  const ran = promisify(execFile)(process.execPath, flags, {
    timeout: 60_000,
    env: { NODE_ENV: 'test', SVC_PORT: '0', SVC_LOG_LEVEL: 'silent', ...env },
  })
  return ran.then(
    ({ stdout }) => ({ asked: JSON.parse(stdout) as string[], said: '' }),
    ({ stderr }: { stderr: string }) => ({ asked: [], said: stderr }),
  )
}

it('off, neither is loaded', { timeout: 60_000 }, async () => {
  const { asked, said } = await startWithout(['@opentelemetry/api', 'prom-client'], {})
  expect(said).toBe('')
  expect(asked.filter((each) => /opentelemetry|prom-client|traces|prometheus/.test(each))).toEqual(
    [],
  )
})

it('on, tracing says in one sentence what to install', { timeout: 60_000 }, async () => {
  const { said } = await startWithout(['@opentelemetry/api'], { SVC_TRACING: 'on' })
  expect(said).toContain('npm install @opentelemetry/api')
  expect(said.trim().split('\n')).toHaveLength(1)
})
