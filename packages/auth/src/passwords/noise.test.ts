import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** What `node --watch`, or any loader, may post beside us on the channel of a thread, in both directions. */
const noise = `
  import { isMainThread, parentPort, Worker } from 'node:worker_threads'
  const messages = [
    null, true, 'text', 1, {}, [], { 'watch:require': ['file:///a.js'] }, { id: 1, answer: true },
    { svc: 'hash', answer: true }, { svc: 'hash', id: '1', answer: true }, { svc: 'signatures', id: 1, areRight: [true] },
  ]
  const owner = isMainThread ? Worker.prototype : Object.getPrototypeOf(parentPort)
  const post = owner.postMessage
  owner.postMessage = function (...given) {
    for (const each of messages) post.call(this, each)
    return post.apply(this, given)
  }
  if (!isMainThread) for (const each of messages) post.call(parentPort, each)
`

const script = (target: object) => `
  const { createHashQueue } = await import(${JSON.stringify(new URL('./hash-queue.ts', import.meta.url))})
  const queue = createHashQueue({ target: ${JSON.stringify(target)}, workers: 2, log: console })
  const of = (text) => ({ sent: text, normalised: text })
  const stored = await queue.run({ kind: 'hash', forms: of('right') })
  const verify = (text) => queue.run({ kind: 'verify', forms: of(text), stored })
  const answers = await Promise.all(['right', 'wrong', 'right', '', 'wrong', 'right'].map(verify))
  console.log(JSON.stringify({ stored, answers }))
`

describe('messages of others on the channel of a thread', () => {
  it('let nobody in, and are stored nowhere', async () => {
    const flags = ['--conditions=svc-source', '--input-type=module']
    const program = script({ scheme: 'bcrypt', rounds: 6 })
    const preload = `--import=data:text/javascript,${encodeURIComponent(noise)}`
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [...flags, '--eval', program],
      { env: { ...process.env, NODE_OPTIONS: preload }, timeout: 20_000 },
    )

    const { stored, answers } = JSON.parse(stdout)
    expect(stored).toMatch(/^svc1\$\$2b\$06\$/)
    expect(answers).toEqual([true, false, true, false, false, true])
    expect(stderr).toBe('')
  })
})
