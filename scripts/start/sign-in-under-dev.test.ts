import { expect, it, onTestFinished, vi } from 'vitest'
import { createAuthApi } from '../../packages/auth/src/index.ts'
import { createDeviceKey } from '../../packages/auth/src/node.ts'
import { createApplication } from '../../packages/cli/src/testing/application.ts'
import { runDev, within } from '../../packages/cli/src/testing/run-dev.ts'
import { orFew } from '../test/or-few.ts'

const files = {
  'package.json': '{ "type": "module" }',
  'main.ts': `import { runServer } from '@svc/core'
import server from './server.ts'

await runServer(server)
`,
  'server.ts': `import { authRouter, createAuthLifecycle } from '@svc/auth/server'
import { mailboxRouter } from '@svc/notification'
import { defineRouter, defineServer } from '@svc/core'

export default defineServer()
  .lifecycle(createAuthLifecycle())
  .routes(defineRouter({}).packages([authRouter, mailboxRouter]))
`,
}

const email = 'ada@example.com'
const password = 'a long password of a test'

/** The code of the newest message. */
async function mailedCode(url: string) {
  return vi.waitFor(async () => {
    const list = await (await fetch(`${url}/_ops/mailbox`)).text()
    const [path] = /\/_ops\/mailbox\/[^"]+/.exec(list) ?? []
    const message = await (await fetch(`${url}${path}`)).text()
    const [code] = /\b\d{6}\b/.exec(message.replace(/<style[\s\S]*?<\/style>/g, '')) ?? []
    if (!code) throw new Error('no code has arrived')
    return code
  }, within)
}

/** What `node --watch`, or any loader, may post beside us on the channels of threads and processes, in both directions. */
const noise = `
  import { isMainThread, parentPort, Worker } from 'node:worker_threads'
  const messages = [
    true, 'text', 1, {}, [], { 'watch:import': ['file:///a.js'] }, { id: 1, answer: true }, { svc: 'file' },
    { svc: 'package', url: 1 }, { svc: 'load' }, { svc: 'load', packages: [1] }, { svc: 'hash', answer: true },
    { svc: 'hash', id: 1, job: null }, { svc: 'signatures', id: 1, checks: true },
  ]
  function beside(owner, name) {
    const post = owner[name]
    owner[name] = function (...given) {
      for (const each of messages) post.call(this, each)
      return post.apply(this, given)
    }
  }
  beside(isMainThread ? Worker.prototype : Object.getPrototypeOf(parentPort), 'postMessage')
  if (isMainThread && process.send) {
    beside(process, 'send')
    const { emit } = process
    process.emit = (name, ...given) => {
      if (name === 'message') for (const each of messages) emit.call(process, name, each)
      return emit.call(process, name, ...given)
    }
  }
`
const preload = `--import=data:text/javascript,${encodeURIComponent(noise)}`

it.each(
  orFew([
    ['svc dev', {}],
    [
      'svc dev, beside messages of others on every channel,',
      { NODE_OPTIONS: `--conditions=svc-source ${preload}` },
    ],
  ] as const),
)(
  '%s hashes passwords: the right one signs in and a wrong one does not, after a reload too',
  {
    timeout: 180_000,
  },
  async (_, env) => {
    const application = await createApplication(files)
    onTestFinished(() => application.remove())
    const dev = await runDev(application.root, env)
    await dev.said('Svc is running')
    const api = createAuthApi({ baseUrl: dev.url })
    let keys = 0
    const newKey = async () =>
      (await createDeviceKey({ file: `${application.root}/.svc/key-${(keys += 1)}` })).registration
    const signIn = async (tried: string) =>
      api.login.try({ body: { email, password: tried, ...(await newKey()) } })

    const target = { target: email, targetType: 'email', purpose: 'registration' } as const
    await api.sendVerificationCode.call({ body: target })
    const code = await mailedCode(dev.url)
    const { verificationToken } = await api.verifyCode.call({ body: { ...target, code } })
    await api.register.call({ body: { email, password, verificationToken, ...(await newKey()) } })

    const expectSignIn = async () => {
      const refused = await signIn('a wrong password of a test')
      expect(refused).toMatchObject({ ok: false, error: { name: 'InvalidCredentialsError' } })
      expect(await signIn(password)).toMatchObject({ ok: true, data: { mfaRequired: false } })
    }
    await expectSignIn()
    await application.write('server.ts', `${files['server.ts']}// changed\n`)
    await dev.said('reloaded in ')
    await expectSignIn()
  },
)
